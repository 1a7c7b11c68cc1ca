"""The vocabulary of MJCF: words, numbers, and tables of elements, attributes and fields. No code here uses element objects.

Files, in order of dependence (each imports only files above it):

    errors          SpecError: the place, what was found, what would be valid
    kinds           kinds of elements, and their object types (mjtObj)
    types           numbers of joint, geom, equality, ... types, and properties that depend on a type alone
    orient, arrays  rotations: of one element; of all elements of a kind at once
    xmltree         XML text as nodes that know their line and column
    hashes          hashes of names and of the structure of a spec
    depth           a larger recursion limit for deeply nested elements
    xml_text        nodes and numbers as text
    free_names      names that are not taken yet
    keywords        TABLE of the keywords of MJCF attributes; names of flags
    shortcut_rows   TABLE of actuator shortcuts: element, attributes, arguments of its function
    grammar         TABLE of MJCF: elements, attributes, multiplicity, the field each attribute sets
    column_rows     TABLE of columns: the Model field of each attribute, how saving undoes it, how frames scale it
    ours            attributes derived from Tumble's own fields of the Model
    newer_rows      TABLE of what releases after 3.4 added: read, or refused by name
    attributes      one attribute: its text as a keyword, a number or numbers
    schema          the grammar as rows that check and read
    structs         TABLE of the fields of elements: name, type, count, default, unit, sentence
    vectors, fields the public attributes that `structs` describes, with checks
    unheld          TABLE of fields of later releases that are refused by name
    later_fields    fields as scripts see them through the interface of the newest release
    about           TABLES of sentences on elements and attributes: tooltips and the manual's reference pages
"""
