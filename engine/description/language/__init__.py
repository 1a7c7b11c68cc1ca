"""Words and numbers of models: what may stand in MJCF and what the fields of elements are. Knows no element.

Tables: `grammar` (elements and attributes of MJCF), `keywords` (words of enumerations), `structs` (fields of elements), `kinds`.
`schema` makes a checker of the grammar. `fields` and `vectors` are the public attributes that `structs` asks for. `xmltree` parses with
places for error messages, `xml_text` writes numbers and layout, `orient` and `arrays` turn quaternions, one or many. `errors` has SpecError.
"""
