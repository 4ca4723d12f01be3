"""The next season of a game: it begins from the law as it stands, with the same people, where the game is played."""

from __future__ import annotations

import shlex
import subprocess
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.forges.git_transport import Git
from folkmoot.game import rulesets
from folkmoot.game.next_season import next_founding
from folkmoot.game.session import Session
from folkmoot.ops.table import adding
from tests.support.moot import Moot
from tests.support.table import START, rule

CROWN = """
title: Crown
text: Whoever takes the crown wins. Players say what they are called.
defines:
  player: {called: {type: string, initial: nobody}}
  game: {lamps: {type: integer, initial: 3}}
actions: {crown: {}, light: {}}
script: |
  def do_light(a):
      add("game", "lamps", 1)
      put(a.by, "called", "lighter")
  def do_crown(a):
      win(things("player"), "everybody wears it")
"""
PEOPLE = [word for who in ("ann,email=ann@x.org,name=Ann <b>Abel</b>", "bob", "cid") for word in ("-p", who)]


@pytest.fixture
def evening(moot: Moot, tmp_path: Path) -> Moot:
    """Return `moot` where an evening of lanterns got a rule, and ended by it; cid has left."""
    for name, value in (("user.name", "Ann"), ("user.email", "ann@x.org")):
        subprocess.run(["git", "init", "-q", "."], check=True)
        subprocess.run(["git", "config", name, value], check=True)
    (tmp_path / "crown.yaml").write_text(CROWN, "utf-8")
    for line in (
        "new evening -r lanterns --at 2026-01-05T12:00:00Z " + shlex.join(PEOPLE),
        "act propose --by ann --rule crown.yaml title=Crown --at +1m",
        "act vote --by ann choice=for --at +1m",
        "act vote --by bob choice=for --at +1m",
        "act vote --by cid choice=for --at +1m",
        "act light --by bob --at +1m",
        "act leave --by cid --at +1m",
    ):
        said = moot(*shlex.split(line))
        assert said.code == 0, said
    return moot


def test_the_law_goes_on_and_what_it_declares_begins_anew(evening: Moot, tmp_path: Path) -> None:
    refused = evening("new", "evening-2", "--from", "evening")
    assert (refused.code, "evening is not over" in refused.err, "--anyway" in refused.err) == (1, True, True)
    assert evening("act", "crown", "--by", "bob", "--at", "+1m").code == 0
    status = evening("status", "--json").record
    assert status["next"] == "moot new evening-2 --from evening"
    assert status["next"] in evening("status").out
    told = evening("show", "season")
    assert "Ann <b>Abel</b> and bob won." in told.out
    assert "Crown: The first new rule, by proposal 1 of Ann <b>Abel</b>, 3 to 0." in " ".join(told.out.split())
    assert evening("show", "season", "2").code == 1
    founded = evening(*shlex.split(status["next"])[1:], "--at", "2026-01-06T12:00:00Z", "--json").record
    assert (founded["follows"]["season"], founded["rules"], founded["players"]) == (2, 11, ["ann", "bob"])
    now = evening("status", "--json").record
    assert (now["game"], now["title"], now["next"]) == ("evening-2", "Evening, season 2", None), "the one that goes on"
    assert "without a game" not in evening("check", "crown.yaml").err, "nor is it asked which is meant"
    before, after = (tmp_path / "state" / game / "rules" / "11.yaml" for game in ("evening", "evening-2"))
    assert before.read_bytes() == after.read_bytes()
    with Session.open(tmp_path / "state" / "evening-2") as session:
        assert session.document("things/game")["game"]["lamps"] == 3
        assert session.document("roster")["ann"]["email"] == "ann@x.org"
        assert session.document("things/player")["bob"]["called"] == "nobody"
    assert not Git(tmp_path).ask(["status", "--porcelain", "--", "state"])
    proved = evening("verify", "--json").record["facts"][-1]
    assert proved == "season 2: it begins after entry 8 of evening; 11 of 11 rules are those that hold there"
    assert evening("new", "third", "--from", "evening-2", "--anyway", "-p", "bob", "-p", "dan").code == 0
    third = evening("status", "-g", "third", "--json").record
    assert (third["title"], third["administrators"]) == ("Evening, season 3", ["bob"])


def test_a_season_that_follows_another_game_than_it_says_is_not_sound(evening: Moot, tmp_path: Path) -> None:
    assert evening("new", "fruit", "--from", "evening", "--anyway", "-r", "orchard").code == 0
    with Session.open(tmp_path / "state" / "fruit") as session:
        assert session.document("game")["ruleset"] == "orchard", "other rules may take the place of the law"
        assert session.document("game")["follows"]["game"] == "evening"
        assert [*session.document("roster")] == ["ann", "bob"]
    (tmp_path / "state" / "evening").rename(tmp_path / "gone")
    assert "which does not lie here" in evening("verify").out
    assert evening("new", "other", "-r", "suber", "-p", "ann").code == 0
    (tmp_path / "state" / "other").rename(tmp_path / "state" / "evening")
    wrong = evening("verify", "-g", "fruit")
    assert (wrong.code, "has no such entry" in wrong.err) == (4, True)


@pytest.mark.parametrize("ruleset", rulesets.names())
@pytest.mark.sampled(5)
def test_every_packaged_game_goes_on_as_it_began(ruleset: str, tmp_path: Path) -> None:
    law = {**rulesets.founding(ruleset), "administrators": []}
    past = {person["id"] for person in law["players"]}
    law["players"] = [{"id": who, "surname": who} for who in ("ann", "bob", "cid")]
    law |= {"offices": {}, "opening": [each for each in law["opening"] if not {*map(str, each.values())} & past]}
    assert Session.found(tmp_path / "one", law, START, rulesets.texts_of_lists(law)).accepted
    with Session.open(tmp_path / "one") as session:
        again = next_founding(session)
        lists = rulesets.texts_of_lists(again)
    done = Session.found(tmp_path / "two", again, START, lists)
    assert done.accepted, done.entry.get("reasons")
    assert standing(tmp_path / "two") == standing(tmp_path / "one")


def standing(folder: Path) -> dict[str, Any]:
    """Return what a game keeps, without what was drawn."""
    with Session.open(folder) as session:
        found = {key: session.document(key) for key in ("things/player", "things/game", "timers", "duties")}
        found["things/game"].get("game", {}).pop("stamp", None)
        return found


def test_numbers_switches_and_former_numbers_stay(tmp_path: Path) -> None:
    switch = {"pace": {"question": "How fast?", "alternatives": {"slow": "slow", "fast": "fast"}, "default": "slow"}}
    one = rule("1", "def do_go(a):\n    renumber(rule(2), '9')\n    put('settings', 'pace', 'fast')\n",
               actions={"go": {}}, settings=switch)  # fmt: skip
    two = rule(
        "2",
        "def decide_headline():\n    return 'as ever'\n",
        defines={"rule": {"weight": {"type": "integer", "initial": 1}}},
    )
    given = {"title": "T", "players": [{"id": "ann"}], "rules": [one, two], "administrators": ["ann"],
             "opening": [{"rule": "2", "weight": 7}, {"player": "ann", "gone": 1}], "to_win": "5 points, by rule 2"}  # fmt: skip
    assert Session.found(tmp_path / "one", {**given, "opening": given["opening"][:1]}, START).accepted
    with Session.open(tmp_path / "one", writing=True) as session:
        assert session.act("ann", "go", at=START + 1).accepted
        again = next_founding(session)
    assert again["settings"] == {"pace": "fast"}
    assert Session.found(tmp_path / "two", again, START).accepted
    with Session.open(tmp_path / "two") as session:
        meta = session.document("law")["rules"]["2"]
        assert (meta["number"], meta["former_numbers"]) == ("9", ["2"])
        assert session.ask("headline") == "as ever"


def sit(lines: dict[str, str], *people: str) -> None:
    for who in people:
        subprocess.run(shlex.split(lines[who]), check=True)


def test_at_a_table_its_administrator_begins_the_next_season(
    moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.delenv("GIT_AUTHOR_EMAIL", raising=False)
    subprocess.run(["git", "config", "--global", "--add", "safe.directory", "*"], check=True)
    people = [word for who in ("ann", "bob", "cid") for word in ("-p", who)]
    laid = moot("table", "cards.git", "-r", "tricks", *people, "-a", "ann", "--json").record
    sit(laid["lines"], "ann", "bob")
    other = moot("-C", "bob", "new", "cards-2", "--from", "cards", "--anyway")
    assert (other.code, "ann can begin the next season" in other.err) == (1, True)
    assert moot("-C", "ann", "new", "cards-2", "--from", "cards").code == 1
    begun = moot("-C", "ann", "new", "cards-2", "--from", "cards", "--anyway", "--json")
    assert begun.code == 0, begun
    assert begun.record["path"] == laid["table"]
    kept = {file.name for file in (tmp_path / "cards.git" / "folkmoot").glob("*.sealing")}
    assert kept == {"cards.sealing", "cards-2.sealing"}
    assert moot("-C", "ann", "status", "-g", "cards-2", "--json").record["title"] == "Cards, season 2"
    missing = moot("-C", "bob", "status", "-g", "cards-2")
    assert "`git pull` brings" in missing.err
    assert moot("-C", "cards.git", "new", "cards-3", "--from", "cards-2", "--anyway").code == 0
    subprocess.run(["git", "-C", "ann", "pull", "-q"], check=True)
    assert moot("-C", "ann", "verify", "-g", "cards-3").code == 0
    assert moot("-C", "ann", "comment", "-g", "cards-2", "Good cards!").code == 0
    heard = [moot("-C", "ann", "log", "-g", game).out.count("Good cards!") for game in ("cards", "cards-2", "cards-3")]
    assert heard == [0, 1, 0], "each season has its own talk"


def test_a_table_that_has_gone_on_meanwhile_stays_as_it_is(moot: Moot, tmp_path: Path) -> None:
    laid = moot("table", "plain.git", "-p", "ann", "-p", "bob", "--json").record
    table, author = Path(laid["table"]), ["-c", "user.name=N", "-c", "user.email=n@x.org"]

    def commit(work: Path) -> None:
        Git(work).ask([*author, "commit", "-q", "--allow-empty", "-m", "x"])
        (work / ".git" / "folkmoot").mkdir(exist_ok=True)
        (work / ".git" / "folkmoot" / "x.sealing").write_text("1:x", "utf-8")

    with ExitStack() as stack:
        commit(stack.enter_context(adding(table)))
        with adding(table) as rival:
            Git(rival).ask([*author, "commit", "-q", "--allow-empty", "-m", "rival"])
        first = Git(table).ask(["rev-parse", "HEAD"])
        with pytest.raises(ProblemError):
            stack.close()
    assert Git(table).ask(["rev-parse", "HEAD"]) == first
    assert not [*table.rglob("x.sealing")]
