"""Words, numbers and rows: what may stand in MJCF and what the fields of elements are. Knows no element.

In the order in which they build on each other (a file imports only what stands before it):

    errors          SpecError: place, what was found, what would be right
    kinds           kinds of elements and the object types that number them
    types           numbers of joint, geom, equality, ... types, and what follows from a type alone
    orient, arrays  rotations of one element; of all elements of a kind at once
    xmltree         XML as nodes that know their line and column
    hashes          of names and of the structure of a spec
    depth           room for recursion over what stands inside one another
    xml_text        nodes and numbers as text
    keywords        TABLE of the words of MJCF's enumerations, names of flags
    shortcut_rows   TABLE of actuator shortcuts: element, attributes, what its function takes
    grammar         TABLE of MJCF: elements, attributes, how often, which field they set
    column_rows     TABLE of columns: which attribute goes into which field of the Model, how that is undone, what frames scale
    ours            attributes that follow from fields of ours in the Model
    newer_rows      TABLE of what releases after 3.4 added: read, or refused by name
    attributes      one attribute: its text as a word, a number or numbers
    schema          the grammar as rows that check and read
    structs         TABLE of the fields of elements: name, type, count, default, unit, sentence
    vectors, fields the public attributes that `structs` asks for, with checks
    about           TABLEs of what elements and attributes are: tooltips and the manual's reference pages
"""
