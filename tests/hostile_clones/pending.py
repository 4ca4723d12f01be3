"""What a transaction of an older engine leaves when it is cut short, made by hand: files to place and to remove, anywhere."""

from __future__ import annotations

import hashlib
import json
from functools import partial

from tests.hostile_clones.ground import GAME, Clone, Kind

PLACES = (f"state/{GAME}/.pending", f".git/folkmoot/pending/{GAME}", f".git/folkmoot/{GAME}.pending")


def _manifest(clone: Clone) -> None:
    """Write staged files and manifests that place them and remove something precious; links lead out, too."""
    home = clone.ground.home
    clone.link(f"state/{GAME}/things/extra", home / "notes")
    targets = ("../../.git/hooks/post-commit", "../../.git/config", "../../mkdocs.yml", str(home / ".bashrc"), "../../../home/new",
               "head.yaml", "rules/999.yaml", "journal/000/000099.yaml", "things/extra/203.yaml")  # fmt: skip
    removed = ["../../../home/notes/precious.md", str(home / "target"), "rules/205.yaml", "things/extra/precious.md"]
    data = f"#!/bin/sh\n{clone.trap('pending')}\n".encode()
    told = {"files": dict.fromkeys(targets, hashlib.sha256(data).hexdigest()), "removed": removed}
    for place in PLACES:
        folder = clone.clear(f"{place}/manifest").parent
        for number in range(len(targets)):
            (folder / str(number)).write_bytes(data)
            (folder / str(number)).chmod(0o755)
        for name in ("manifest", "manifest.new"):
            (folder / name).write_text(json.dumps(told), "utf-8")


def _tracked(clone: Clone) -> None:
    _manifest(clone)
    clone.commit()


def _nonsense(text: str, clone: Clone) -> None:
    for place in PLACES:
        clone.write(f"{place}/manifest", text)
    clone.commit()


KINDS = {
    "a manifest that is tracked": Kind(_tracked),
    "a manifest that is not": Kind(_manifest),
    "a manifest of nonsense": Kind(partial(_nonsense, '{"files": 7, "removed": {"a": [1]}}')),
    "a manifest that is deep": Kind(partial(_nonsense, "[" * 200_000)),
}
