"""Remotes, proxies and settings that lead to a listener: nobody is spoken to but whom the person named."""

from __future__ import annotations

import re
from functools import partial

from tests.hostile_clones.ground import Clone, Kind
from tests.hostile_clones.records import _played_on


def _leads(url: str, clone: Clone) -> None:
    """Let the remote be the listener."""
    settings = clone.git / "config"
    to = url.format(clone.ground.listener.port)
    text = settings.read_text("utf-8")
    if "[remote" in text:
        settings.write_text(re.sub(r"url = .*", lambda _: f"url = {to}", text), "utf-8")
    else:
        clone.settings(f'[remote "origin"]\n\turl = {to}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n')


def _forge(kind: str, clone: Clone) -> None:
    """Let the remote be the listener, and the game say that this is GitHub, or a Gitea."""
    _leads("http://127.0.0.1:{0}/ann/game.git", clone)
    if clone.git != clone.root:
        _played_on("https://github.com/ann/game", kind, clone)


def _settings(text: str, clone: Clone) -> None:
    """Let settings of git send what goes elsewhere to the listener."""
    table = clone.ground.folder / "table.git"
    clone.settings(text.format(clone.ground.listener.port, table))


KINDS = {
    "a remote over http": Kind(partial(_leads, "http://127.0.0.1:{0}/ann/game.git"), asked=True),
    "a remote over git": Kind(partial(_leads, "git://127.0.0.1:{0}/ann/game.git"), asked=True),
    "a remote with a password": Kind(partial(_leads, "http://ann:secret@127.0.0.1:{0}/ann/game.git"), asked=True),
    "a remote that is called GitHub": Kind(partial(_forge, "github"), asked=True),
    "a remote that is called Gitea": Kind(partial(_forge, "gitea"), asked=True),
    "a proxy": Kind(partial(_settings, "[http]\n\tproxy = http://127.0.0.1:{0}\n\tsslVerify = false\n\textraHeader = X-From: clone\n")),
    "a second remote": Kind(partial(_settings, '[remote "upstream"]\n\turl = http://127.0.0.1:{0}/x.git\n')),
    "an address to push to": Kind(partial(_settings, '[remote "origin"]\n\tpushurl = http://127.0.0.1:{0}/x.git\n')),
    "another address instead": Kind(partial(_settings, '[url "http://127.0.0.1:{0}/"]\n\tinsteadOf = {1}\n\tinsteadOf = /\n\tpushInsteadOf = {1}\n'), asked=True),
    "objects fetched when they are missing": Kind(partial(_settings, '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = far\n[remote "far"]\n\turl = http://127.0.0.1:{0}/x.git\n\tpromisor = true\n')),
    "cookies and certificates": Kind(partial(_settings, '[http]\n\tcookieFile = ../home/target\n\tsaveCookies = true\n\tsslCert = ../home/target\n[http "http://127.0.0.1:{0}"]\n\tsslVerify = false\n')),
}  # fmt: skip
