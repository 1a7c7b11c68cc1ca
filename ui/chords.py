"""Names of keys, and chords such as `Ctrl+Shift+L`."""

MODIFIERS = ("Ctrl", "Alt", "Shift", "Super")
# {name of a key that is neither a letter nor a digit: end of glfw's name for it}
KEY_NAMES = {
    "Space": "SPACE",
    "Backspace": "BACKSPACE",
    "Tab": "TAB",
    "Esc": "ESCAPE",
    "Enter": "ENTER",
    "Delete": "DELETE",
    "Left": "LEFT",
    "Right": "RIGHT",
    "Up": "UP",
    "Down": "DOWN",
    "PageUp": "PAGE_UP",
    "PageDown": "PAGE_DOWN",
    "Home": "HOME",
    "End": "END",
    "-": "MINUS",
    "=": "EQUAL",
    "[": "LEFT_BRACKET",
    "]": "RIGHT_BRACKET",
    ",": "COMMA",
    ".": "PERIOD",
    "/": "SLASH",
    ";": "SEMICOLON",
    "'": "APOSTROPHE",
    "`": "GRAVE_ACCENT",
    "\\": "BACKSLASH",
    **{f"F{i}": f"F{i}" for i in range(1, 13)},
}


def normalise(chord: str) -> str:
    """Return a chord in standard form: modifiers in a fixed order, and the name of the key as in the table. Raise ValueError if
    there is no such key.
    """
    parts = [p.strip() for p in chord.replace("++", "+Plus").split("+")]
    *modifiers, key = parts
    held = {m.capitalize() for m in modifiers}
    names = {name.lower(): name for name in KEY_NAMES}
    key = names.get(key.lower(), key.upper() if len(key) == 1 else key)
    if held - set(MODIFIERS) or not (key in KEY_NAMES or len(key) == 1 and key.isalnum()):
        raise ValueError(f"no such chord: {chord!r}")
    return "+".join([m for m in MODIFIERS if m in held] + [key])
