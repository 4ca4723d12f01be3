"""What each command takes, as a shell must know it to complete: read from a file, so that no command is loaded.

`parameters.yaml` is made of the commands by `python ci/reference.py`, which CI holds to them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import click

FILE = Path(__file__).with_suffix(".yaml")
Record = dict[str, Any]


def described(command: click.Command) -> Record:
    """Return what a command takes as plain data."""
    found: Record = {"takes": [_described(each) for each in command.params]}
    return found | ({"settings": dict(command.context_settings)} if command.context_settings else {})


def _described(parameter: click.Parameter) -> Record:
    complete = getattr(parameter, "_custom_shell_complete", None)
    kind = parameter.type
    found: Record = {
        "name": parameter.name,
        "words": [] if isinstance(parameter, click.Argument) else list(parameter.opts),
        "against": list(parameter.secondary_opts),
        "help": (getattr(parameter, "help", None) or "").split("\n\n")[0],
        "bare": bool(getattr(parameter, "is_flag", False)),
        "alone": getattr(parameter, "flag_value", None) if getattr(parameter, "_flag_needs_value", False) else None,
        "several": bool(parameter.multiple),
        "count": parameter.nargs if parameter.nargs != 1 else None,
        "choices": list(kind.choices) if isinstance(kind, click.Choice) else [],
        "file": ("any" if kind.file_okay else "folder") if isinstance(kind, click.Path) else "",
        "complete": complete.__name__ if complete is not None else "",
    }
    return {name: value for name, value in found.items() if value not in ("", [], False, None)}


@cache
def _known() -> Record:
    from folkmoot.files.fast_reader import load_own

    return dict(load_own(FILE))


def for_completion(name: str) -> click.Command | None:
    """Return a command that takes what the command of a name does, and does nothing; None where none is known."""
    known = _known().get(name)
    if known is None:
        return None
    return click.Command(
        name, params=[_made(each) for each in known["takes"]], context_settings=dict(known.get("settings", {}))
    )


def _made(known: Record) -> click.Parameter:
    from folkmoot.cli import completion

    complete = getattr(completion, known["complete"]) if "complete" in known else None
    kind: click.ParamType[Any] | None = None
    if "choices" in known:
        kind = click.Choice(known["choices"])
    elif "file" in known:
        kind = click.Path(file_okay=known["file"] == "any")
    if "words" not in known:
        return click.Argument(
            [known["name"]], type=kind, nargs=known.get("count", 1), required=False, shell_complete=complete
        )
    words = [*known["words"], known["name"]]
    if "against" in known:
        words[0] = f"{words[0]}/{known['against'][0]}"
    alone = {"flag_value": known["alone"]} if "alone" in known else {}
    return click.Option(words, is_flag=known.get("bare", False), multiple=known.get("several", False), type=kind,
                        help=known.get("help"), shell_complete=complete, **alone)  # fmt: skip
