"""What a transaction leaves when it is cut short, made by hand: files to place and to remove, anywhere."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import partial

from tests.hostile_clones.ground import GAME, Clone, Kind


def _targets(clone: Clone) -> list[str]:
    home = clone.ground.home
    return [
        *("../../.git/hooks/post-commit", "../../.git/config", "../../mkdocs.yml", f"../../site_src/{GAME}/index.md"),
        *(
            str(home / ".bashrc"),
            "../../../home/new",
            "head.yaml",
            "rules/999.yaml",
            "roster.yaml",
            "journal/000/000099.yaml",
        ),
    ]


def _manifest(clone: Clone, pending: str, form: Callable[[dict[str, str], list[str]], object]) -> None:
    """Write staged files and a manifest that places them and removes something precious."""
    folder = clone.clear(f"{pending}/manifest").parent
    files: dict[str, str] = {}
    for number, target in enumerate(_targets(clone)):
        data = f"#!/bin/sh\n{clone.trap('pending')}\n".encode()
        (folder / str(number)).write_bytes(data)
        (folder / str(number)).chmod(0o755)
        files[target] = hashlib.sha256(data).hexdigest()
    removed = [
        "../../../home/notes/precious.md",
        str(clone.ground.home / "target"),
        "rules/205.yaml",
        "../../.gitignore",
    ]
    for name in ("manifest", "manifest.new"):
        (folder / name).write_text(json.dumps(form(files, removed)), "utf-8")


def _old(files: dict[str, str], removed: list[str]) -> object:
    return {"files": files, "removed": removed}


def _newer(files: dict[str, str], removed: list[str]) -> object:
    return {"game": f"state/{GAME}", "root": f"state/{GAME}", "version": 2, "files": files, "removed": removed}


def _tracked(clone: Clone) -> None:
    _manifest(clone, f"state/{GAME}/.pending", _old)
    clone.commit()


def _tracked_links(clone: Clone) -> None:
    """Let the folder of the journal lead out, so that harmless paths do too."""
    clone.link(f"state/{GAME}/things/extra", clone.ground.home / "notes")
    _manifest(clone, f"state/{GAME}/.pending", lambda files, removed: {
        "files": {"things/extra/203.yaml": files["head.yaml"]}, "removed": ["things/extra/precious.md"]})  # fmt: skip
    clone.commit()


def _nonsense(text: str, clone: Clone) -> None:
    for pending in (f"state/{GAME}/.pending", f".git/folkmoot/pending/{GAME}", f".git/folkmoot/{GAME}.pending"):
        clone.write(f"{pending}/manifest", text)
    clone.commit()


KINDS = {
    "a manifest that is tracked": Kind(_tracked),
    "a manifest that is not": Kind(lambda clone: _manifest(clone, f"state/{GAME}/.pending", _old)),
    "a manifest in a newer form": Kind(lambda clone: _manifest(clone, f"state/{GAME}/.pending", _newer)),
    "a manifest through links": Kind(_tracked_links),
    **{
        f"manifests below .git of form {number}": Kind(partial(lambda form, clone: [
            _manifest(clone, pending, form)
            for pending in (f".git/folkmoot/pending/{GAME}", f".git/folkmoot/{GAME}.pending", ".git/folkmoot/pending")
        ] and None, form))
        for number, form in enumerate((_old, _newer))
    },
    "a manifest of nonsense": Kind(partial(_nonsense, '{"files": 7, "removed": {"a": [1]}}')),
    "a manifest of bytes": Kind(partial(_nonsense, "\0" * 5000)),
    "a manifest that is deep": Kind(partial(_nonsense, "[" * 200_000)),
}  # fmt: skip
