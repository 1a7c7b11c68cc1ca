"""Edits of a model's source text: the smallest change of the text that changes one element.

numbers     numbers as text; unchanged numbers keep their notation
tags        byte positions of elements and attributes in a text
patch       byte patches that set or remove an attribute, add or delete an element
origin      from an element of a compiled model to its element in a file, and the other elements made from that text
pose        a moved, rotated or scaled element, expressed in the attributes that its source uses
"""
