"""Keys that sign: named, shown, changed, lost; nobody locks themselves out unawares, and git says with which it signs."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.support.gathering import Gathering
from tests.support.meeting import git


@pytest.fixture
def keys(gathering: Gathering) -> dict[str, Path]:
    """Return two keys of bob's, each by the file of its public half."""
    found = {}
    for name in ("old", "new"):
        path = gathering.folder / name
        words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(path)]
        subprocess.run(words, check=True)
        found[name] = path.with_name(f"{name}.pub")
    return found


def sign(gathering: Gathering, key: Path) -> None:
    """Let bob's git sign with a key."""
    for name, value in {"gpg.format": "ssh", "user.signingkey": str(key), "commit.gpgsign": "true"}.items():
        git(gathering.clone("bob"), "config", name, value)


def test_a_key_is_named_shown_and_changed(gathering: Gathering, keys: dict[str, Path]) -> None:
    assert "plays on trust" in gathering.moot("bob", "key").out
    named = gathering.moot("bob", "key", "add", str(keys["old"]))
    assert f"git config user.signingkey {keys['old']}" in named.err
    gathering.referee()
    shown = gathering.moot("bob", "key")
    assert "bob signs with ssh-ed25519 …" in shown.out
    assert "git does not sign yet" in shown.err
    before = gathering.refs()
    unsigned = gathering.moot("bob", "key", "add", str(keys["new"]), code=3)
    assert "carries no good signature" in unsigned.err
    assert "moot act add_key player=bob" in unsigned.err, "what one does who lost it"
    sign(gathering, keys["new"])
    assert "not bob's" in gathering.moot("bob", "act", "state", "Hear me.", code=3).err
    assert "git signs with another key" in gathering.moot("bob", "key").err
    assert gathering.refs() == before
    sign(gathering, keys["old"])
    assert gathering.moot("bob", "key").err == ""
    only = gathering.moot("bob", "key", "revoke", str(keys["old"]), code=1)
    assert "your only key" in only.err
    assert "--anyway" in only.err
    assert gathering.refs() == before
    assert gathering.moot("bob", "key", "add", str(keys["new"])).err == ""
    gathering.referee()
    gathering.moot("bob", "key", "revoke", str(keys["old"]))
    gathering.referee()
    record = gathering.moot("bob", "key", "--json").record
    assert [each["until"] is None for each in record["keys"]] == [False, True]
    assert record["signs"]


def test_keys_that_are_none(gathering: Gathering, keys: dict[str, Path]) -> None:
    private = gathering.moot("bob", "key", "add", str(keys["old"].with_suffix("")), code=1)
    assert f"give {keys['old']}" in private.err
    assert "nothing of it was shown or sent" in private.err
    assert "moot key add FILE" in gathering.moot("bob", "key", "add", code=2).err
    assert (
        "'remove' is not one of 'add', 'revoke'" in gathering.moot("bob", "key", "remove", str(keys["old"]), code=2).err
    )
    assert "there is no file none.pub" in gathering.moot("bob", "key", "add", "none.pub", code=1).err
    assert "no player of" in gathering.moot("eve", "key").out
