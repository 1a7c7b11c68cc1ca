"""Edits of a model's source text: the smallest change that says something else about one element.

numbers     numbers as text: what did not change stays as it was written
tags        where elements and attributes stand in a text, to the byte
patch       an attribute set or taken away, an element put in or taken out: as patches of bytes
origin      from an element of a compiled model to its element in a file, and what else comes from there
pose        a moved, turned or scaled element, said in the words that its source uses
"""
