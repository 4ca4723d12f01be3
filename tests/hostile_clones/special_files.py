"""Pipes, sockets, devices and folders where files should be: an archive, or another person on the machine, leaves them."""

from __future__ import annotations

import os
import socket
import stat
from functools import partial
from pathlib import Path

from tests.hostile_clones.ground import GAME, Clone, Kind

PLACES = (
    *(f"state/{GAME}/{name}" for name in ("game.yaml", "head.yaml", "roster.yaml", "rules/205.yaml")),
    *(f"state/{GAME}/{name}" for name in ("journal/000/000001.yaml", "journal/000/000003.yaml", "stray")),
    *(f"site_src/{GAME}/index.md", "site_src/index.md", "mkdocs.yml", "ci/site_pages.py", "tea.yaml", ".gitignore"),
    *(".gitattributes", f"state/{GAME}/.gitattributes", f"state/{GAME}/within/.git/HEAD"),
    *(".git/index", ".git/HEAD", ".git/config", ".git/packed-refs", ".git/refs/heads/main", ".git/FETCH_HEAD"),
    *(f".git/folkmoot/{GAME}.secret", ".git/objects/info/alternates", ".git/info/exclude"),
)


def _pipe(place: str, clone: Clone) -> None:
    os.mkfifo(clone.clear(place))


def _socket(place: str, clone: Clone) -> None:
    path = clone.clear(place)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as bound:
        here = Path.cwd()
        os.chdir(path.parent)  # an address is a hundred bytes long at most
        try:
            bound.bind(path.name)
        finally:
            os.chdir(here)


def _device(place: str, clone: Clone) -> None:
    os.mknod(clone.clear(place), stat.S_IFCHR | 0o666, os.makedev(1, 5))  # as /dev/zero


def _folder(place: str, clone: Clone) -> None:
    path = clone.clear(place)
    path.mkdir()
    (path / "inside").write_text("inside\n", "utf-8")
    if not place.startswith(".git/"):
        clone.commit()


def _shut(place: str, clone: Clone) -> None:
    """Let nobody read or write a file (root may, nevertheless)."""
    path = clone.root / place
    if path.is_file():
        path.chmod(0)


KINDS = {
    f"{what} at {place}": Kind(partial(plant, place), root=what == "a device")
    for number, place in enumerate(PLACES)
    for turn, (what, plant) in enumerate(
        (
            ("a pipe", _pipe),
            ("a socket", _socket),
            ("a device", _device),
            ("a folder", _folder),
            ("bytes for nobody", _shut),
        )
    )
    if turn == 0 or number % 4 == turn - 1
}
