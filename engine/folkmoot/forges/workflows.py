"""The jobs that referee a game on a forge: workflow files, written from the templates that come with the engine.

The templates lie in `ci/workflows/<kind>/`. Lines that begin with `#:` direct how they become files: `#: game` and
`#: own` begin lines that are for a game's repository, or for the engine's own, up to `#: end`; `#: NAME` alone stands
for the lines of `NAME.part`, and `#: rulesets` for the names of the packaged rulesets.

`ci/workflows/template/<kind>/` holds what a repository begins with of which a forge makes games.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from folkmoot.core.packaged import scaffold
from folkmoot.core.problems import fail
from folkmoot.game import rulesets

TEMPLATES = "ci/workflows"
FOLDERS = {"github": ".github/workflows", "gitea": ".gitea/workflows"}  # where each kind of forge looks for workflows
FORGEJOS = ".forgejo/workflows"  # where Forgejo alone looks; only where a repository lacks this does it read Gitea's
JOBS = (*FOLDERS.values(), FORGEJOS)  # where any of them looks: what lies there runs with the referee's rights
LOCK = "ci/engine.lock"  # the pin of the engine in a game's repository: every package by version and hash
WHEELS = "ci/wheels"  # where a game's repository keeps a wheel of the engine that is on no package index
BEGIN = "begin.yml"  # the workflow that opens the game of a repository made from a template
README = "README.md"
_MARK = "#: "
_NOTES = {
    "game": "# Written by Folkmoot from the engine's templates; `moot init` writes it anew if it was changed.\n",
    "own": "# Written by `python ci/workflows.py` from ci/workflows/; change it there.\n",
}


def workflow_files(kind: str, *, own: bool = False) -> dict[str, str]:
    """Return the workflows for a kind of forge (`github`, or `gitea`: Forgejo too): path in the repository → text.

    Those for the engine's `own` repository run the engine in it, those for a game's what that pins. Raises E-ARGS for a
    kind that runs no workflows, E-SITE where the engine was installed in parts.
    """
    if kind not in FOLDERS:
        raise fail("E-ARGS", f"{kind!r} is no forge that runs workflows", None, f"choose one of {', '.join(FOLDERS)}")
    folder = scaffold() / TEMPLATES / kind
    templates = sorted(folder.glob("*.yml"))
    if not templates:
        raise fail("E-SITE", f"this installation lacks {TEMPLATES}/{kind}", None, "install Folkmoot again")
    variant = "own" if own else "game"
    texts = {f"{FOLDERS[kind]}/{path.name}": _text(path, kind, variant) for path in templates}
    return {name: text for name, text in texts.items() if text != _NOTES[variant]}


def beginning(kind: str) -> dict[str, str]:
    """Return what a repository of which a forge makes games has besides a game's workflows: path → text."""
    folder = scaffold() / TEMPLATES / "template" / kind
    return {
        f"{FOLDERS[kind]}/{BEGIN}": _text(folder / BEGIN, kind, "game"),
        README: (folder / README).read_text("utf-8"),
    }


def _text(path: Path, kind: str, variant: str) -> str:
    return _NOTES[variant] + "".join(_lines(path, scaffold() / TEMPLATES / kind, variant))


def _lines(path: Path, parts: Path, variant: str) -> Iterator[str]:
    """Yield the lines of a template that are meant for a variant; parts lie in a folder of their own."""
    wanted = True
    for line in path.read_text("utf-8").splitlines(keepends=True):
        word = line.removeprefix(_MARK).strip() if line.startswith(_MARK) else ""
        if word in ("game", "own"):
            wanted = word == variant
        elif word == "end":
            wanted = True
        elif word == "rulesets":
            yield from (f"          - {name}\n" for name in rulesets.names())
        elif word and wanted:
            yield from _lines(parts / f"{word}.part", parts, variant)
        elif wanted:
            yield line
