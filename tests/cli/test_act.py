"""`moot act`, `join`, `key`, `comment` and `withdraw` at a table: what arrives there is what was meant."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from folkmoot.journal.tree import GameTree
from tests.support.gathering import Gathering
from tests.support.meeting import GAME, git
from tests.support.moot import Moot


def test_an_act_is_a_comment_on_the_games_thread(gathering: Gathering) -> None:
    nasty = "It's \"5 o'clock\" $(touch x) `touch y` \\ ; rm -rf / && as=judge"
    said = gathering.moot("ann", "act", "state", f"text={nasty}")
    assert f"Sent to the thread of {GAME}: /do state" in said.out
    gathering.referee()
    entry = gathering.game().entry(gathering.game().head.seq)
    assert (entry["by"], entry["do"], entry["with"]) == ("ann", "state", {"text": nasty})
    assert not list(gathering.folder.rglob("x"))


def test_an_act_of_several_lines_comes_by_a_pull_request(gathering: Gathering) -> None:
    act = gathering.file("act.yaml", 'do: state\nargs: {text: "one\\n/vote against\\n: two"}\n')
    assert "Opened pull request 1." in gathering.moot("ann", "propose", "--with", act).out
    gathering.referee()
    entry = gathering.game().entry(gathering.game().head.seq)
    assert (entry["by"], entry["with"]) == ("ann", {"text": "one\n/vote against\n: two"})
    pull = gathering.tea()
    gathering.moot("ann", "act", "state", "Hear me.", "--on", str(pull))
    letter = gathering.letters("ann")[0]
    assert ("/do state" in letter, f"pull: {pull}" in letter) == (True, True)


def test_of_several_games_the_one_that_is_meant_is_named(gathering: Gathering, moot: Moot) -> None:
    clone = gathering.clone("ann")
    people = ["-p", "ann,email=ann@x.org", "-p", "zoe", "--at", "2026-01-05T12:00:00Z"]
    assert moot("-C", str(clone), "new", "other", "-r", "suber", "--forge", "local", *people).code == 0
    git(clone, "push", "--quiet", "origin", "HEAD:main")
    assert "which game?" in gathering.moot("ann", "act", "state", "Hear me.", code=2).err
    gathering.moot("ann", "act", "state", "Hear me.", "--game", "other")
    assert "/game other\n" in gathering.letters("ann")[0]
    gathering.referee()
    assert [entry["do"] for entry in GameTree(gathering.repo, gathering.game().commit_id, "other").entries()] == [
        "found",
        "state",
    ]


# -- joining, keys, talk, withdrawing


def test_somebody_joins_and_plays(gathering: Gathering) -> None:
    before = git(gathering.clone("eve"), "for-each-ref", "refs/heads", "refs/remotes")
    said = gathering.moot("eve", "join", "evi", "--name", "Eve Ernst", "--with", "surname=Ernst")
    assert f"join {GAME} as evi" in said.out
    assert git(gathering.clone("eve"), "for-each-ref", "refs/heads", "refs/remotes") == before
    assert f"join {GAME} as Zoe" in gathering.moot("zoe", "join").out, "without an id one is made"
    gathering.referee()
    entry = gathering.document("roster")["evi"]
    assert (entry["name"], entry["surname"], entry["handles"]["local"]["id"]) == ("Eve Ernst", "Ernst", "eve@x.org")
    assert "You are evi (eve@x.org)." in gathering.moot("eve", "status").out
    assert "you are evi in this game already" in gathering.moot("eve", "join", code=3).err


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


def test_what_is_no_public_key_is_refused_and_a_private_one_not_shown(
    gathering: Gathering, keys: dict[str, Path]
) -> None:
    private = keys["old"].with_suffix("")
    for words in (("key", "add", str(private)), ("join", "--key", str(private))):
        said = gathering.moot("eve", *words, code=1)
        assert "PRIVATE key; nothing of it was shown or sent" in said.err
        assert f"give {keys['old']}" in said.err
        assert not any(line in said.err + said.out for line in private.read_text().splitlines()[1:-1])
    twice = "ssh-ed25519 " + "A" * 40 + "\nssh-ed25519 " + "B" * 40
    for text in ("", "hello\n", "ssh-ed25519\n", "ssh-ed25519 AAAA$(touch x)\n", twice):
        said = gathering.moot("bob", "key", "add", gathering.file("odd.pub", text), code=1)
        assert "not the public half of an SSH key" in said.err
    assert gathering.letters("eve") == gathering.letters("bob") == []


def test_talk_is_told_from_commands_and_the_author_withdraws(gathering: Gathering) -> None:
    gathering.tea()
    gathering.moot("ann", "act", "finalise")
    gathering.referee()
    assert gathering.moot("bob", "comment", "--on", "1", "Nice", "one.").out.strip() == "Said on pull request 1, “Tea”."
    assert "bob’s ballot on proposal 301" in gathering.moot("bob", "comment", "--on", "1", "Well.\n/vote abstain").out
    said = gathering.moot("bob", "comment", "/do state text=hi\n" * 21)
    assert "Mind: a comment may hold 20 commands: the 1 after them, from line 21 on, were not read" in said.err
    assert "Asked to close pull request 1, “Tea”." in gathering.moot("ann", "withdraw", "1").out
    assert "kind: close" in gathering.letters("ann")[0]
    assert "Sent, and not looked at yet: close" in gathering.moot("ann", "status").out
    gathering.referee()
    out = gathering.moot("ann", "status").out
    assert "No effect: closing: the rules know no withdrawing" in out
    assert "Waits: " not in out
    assert "Nice one." in gathering.moot("ann", "log", "--talk").out
