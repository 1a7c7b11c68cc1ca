"""`tumble completion`: a script with which a shell completes commands, options and the names of examples.

The words come from the command-line parser. The shell itself completes file names after them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from ..ui.examples import BY_NAME
from .arguments import MODULES, parser

# How to install the script in each shell; this becomes the script's first line.
USE = {
    "bash": '# in ~/.bashrc:  eval "$(tumble completion bash)"',
    "zsh": '# in ~/.zshrc, after compinit:  eval "$(tumble completion zsh)"',
    "fish": "# tumble completion fish > ~/.config/fish/completions/tumble.fish",
}
# Scripts for bash and zsh: one shell function that completes from the known words of each command.
BASH = """_tumble() {
    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} words
    if [ "$COMP_CWORD" -eq 1 ]; then words="@FIRST@"; else case $command in
@CASES@
        *) words="@VIEW@";;
    esac; fi
    COMPREPLY=($(compgen -W "$words" -- "$word") $(compgen -f -- "$word"))
}
complete -o filenames -F _tumble tumble"""
ZSH = """_tumble() {
    local -a known
    if (( CURRENT == 2 )); then known=(@FIRST@); else case $words[2] in
@CASES@
        *) known=(@VIEW@);;
    esac; fi
    compadd -- $known
    _files
}
compdef _tumble tumble"""


def completion(options: argparse.Namespace) -> int:
    """Print the completion script of a shell."""
    print(USE[options.shell])
    print(fish() if options.shell == "fish" else cases(options.shell))
    return 0


def known(command: str) -> Iterator[tuple[str, str]]:
    """Yield (word, help) for a command's options and for the possible values of its arguments."""
    commands = next(a for a in parser()._actions if isinstance(a, argparse._SubParsersAction))
    for action in commands.choices[command]._actions:
        text = (action.help or "").replace("%%", "%")
        yield from ((word, text) for word in action.option_strings if word.startswith("--"))
        if not action.option_strings:
            yield from ((str(word), text) for word in action.choices or ())
            yield from ((name, "an example") for name in BY_NAME if action.dest == "model")


def cases(shell: str) -> str:
    """Return the script for bash or zsh."""
    name = "known=({})" if shell == "zsh" else 'words="{}"'
    rows = [f"        {one}) {name.format(' '.join(word for word, _ in known(one)))};;" for one in MODULES]
    text = (ZSH if shell == "zsh" else BASH).replace("@CASES@", "\n".join(rows))
    view = " ".join(word for word, _ in known("view"))
    return text.replace("@FIRST@", " ".join([*MODULES, *BY_NAME])).replace("@VIEW@", view)


def fish() -> str:
    """Return the script for fish, which shows a help text for each word."""
    lines = [f"complete -c tumble -n __fish_use_subcommand -a '{' '.join([*MODULES, *BY_NAME])}'"]
    for command in MODULES:
        for word, text in known(command):
            told = text.replace("\\", "\\\\").replace("'", "\\'")
            what = f"-l {word[2:]}" if word.startswith("--") else f"-a {word}"
            lines.append(f"complete -c tumble -n '__fish_seen_subcommand_from {command}' {what} -d '{told}'")
    return "\n".join(lines)


COMMANDS = {"completion": completion}
