"""What is sealed stands in nothing that is only tried, nor in what the site's server answers."""

from __future__ import annotations

import json
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from folkmoot.cli.play.web import Builds, common_routes
from folkmoot.cli.site import running, site_app
from folkmoot.game.keeper import keeper_file
from folkmoot.journal import GameFolder
from tests.support.canaries import AT, CANARY, kept, ways
from tests.support.moot import Moot

__all__ = ["kept"]
LEAKS = """rule: "2"
title: Leaks
text: |
  Everything is told.
sealed:
  longer: The note and a word
actions:
  tell: {}
  give: {arguments: {player: {type: player}}}
  guess: {}
script: |
  def longer(note):
      return [note, note]

  def do_tell(a):
      announce("It is %s." % reveal(get("ann", "note")))

  def do_give(a):
      disclose(get(a.args.player, "note"), a.by)

  def do_guess(a):
      found = declassify(sealed("longer", get("ann", "note")), "why not")
      fail("%s" % found)
"""
STEPS: tuple[dict[str, object], ...] = (
    {"by": "bob", "do": "tell"},
    {"by": "bob", "do": "guess"},
    {"by": "ann", "do": "show"},
    {"by": "ann", "do": "ask", "args": {"function": "quits"}},
    {"expect": [{"player": "ann", "note": 7}]},
    {"expect": [{"player": "ann", "note": CANARY[:-1]}]},
    {"expect": [{"player": "ann", "note": "sealed", "seen_by": "ann"}]},
    {"expect": [{"player": "ann", "note": 7, "seen_by": "bob"}]},
)


def leaks(said: bytes) -> list[bytes]:
    """Return the ways in which the canary stands in what was said."""
    return [way for way in ways(CANARY) if way in said]


@pytest.mark.threat("T-81")
@pytest.mark.parametrize("step", STEPS, ids=str)
def test_what_is_only_tried_tells_nothing_even_where_the_keys_are(
    kept: Moot, tmp_path: Path, step: dict[str, object]
) -> None:
    """The machine has the keeper's key and ann's: a rule that would tell all is tried, and steps and claims on it."""
    rule, steps = tmp_path / "leaks.yaml", tmp_path / "steps.yaml"
    rule.write_text(LEAKS, "utf-8")
    steps.write_text(json.dumps([step]), "utf-8")
    before = (tmp_path / "state" / "notes" / "head.yaml").read_bytes()
    said = [kept("try", str(rule), "--steps", str(steps), *form) for form in ((), ("--json",))]
    told = "".join(each.out + each.err for each in said)
    assert "expect" in step or "this depends on what is sealed" in told
    assert "Unreadable" not in told
    assert leaks(told.encode()) == []
    assert (tmp_path / "state" / "notes" / "head.yaml").read_bytes() == before


@pytest.mark.threat("T-81")
@pytest.mark.parametrize("words", [("show",), ("ask", "function=quits"), ("use",), ("order",)], ids=" ".join)
def test_a_dry_run_tells_nothing(kept: Moot, words: tuple[str, ...]) -> None:
    for form in ((), ("--json",)):
        said = kept("act", "--dry-run", "--at", AT, "--by", "ann", *words, *form)
        assert len(said.out + said.err) > 20
        assert leaks(f"{said.out}{said.err}".encode()) == []


@pytest.mark.threat("T-81")
def test_the_server_of_the_site_answers_neither_what_is_sealed_nor_a_key(kept: Moot, tmp_path: Path) -> None:
    """Every file of the site, and ways out of its folder to what lies in the repository's own one."""
    assert kept("serve", "--build").code == 0
    site, key = tmp_path / "site", keeper_file(GameFolder(tmp_path / "state" / "notes"))
    secret = key.read_text("utf-8").strip().removeprefix("1:").encode()
    assert secret.startswith(b"AGE-SECRET-KEY-1")
    out = key.relative_to(tmp_path).as_posix()
    paths = ["/" + path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()]
    ways_out = [
        f"{up}{out}" for up in ("/", "/../", "/%2e%2e/", "/..%2f", "/notes/../../", "//../", "/..\\", "/%5c../")
    ]
    answers: dict[str, tuple[int, bytes]] = {}
    with running(site_app(site, common_routes(Builds())), None) as (address, _thread):
        for path in [*paths, *ways_out, f"/{key}", "/state/notes/head.yaml", "/.git/config"]:
            connection = HTTPConnection(urlsplit(address).netloc, timeout=10)
            connection.request("GET", path.replace(" ", "%20"))
            answer = connection.getresponse()
            answers[path] = answer.status, answer.read()
            connection.close()
    assert len([path for path in paths if answers[path][0] == 200]) > 20
    assert [path for path in answers if path not in paths and answers[path][0] == 200] == []
    public = b"\n".join(body for _, body in answers.values())
    assert (secret in public, leaks(public)) == (False, [])
