"""The command line: every command does its work, speaks to people and programs, and ends with the right code."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import click
import pytest

from folkmoot.cli.main import COMMANDS, Commands
from folkmoot.cli.main import moot as group
from folkmoot.cli.misuse import SUCCESSORS
from folkmoot.cli.site import running, site_app
from folkmoot.journal import GameFolder
from folkmoot.ops.doctor.repository_files import GIT_FILES
from tests.support.moot import Moot

ROOT = Path(__file__).parents[2]

DRAGON = """\
title: Dragons
labels: {status: mutable}
text: |
  There are dragons. Whoever feeds one gets a point.
defines:
  game:
    meals: {type: integer, initial: 0, summary: How often dragons were fed}
actions:
  feed: {summary: Feed a dragon, arguments: {food: {type: string}}}
script: |
  def do_feed(a):
      add("game", "meals", 1)
      award(a.by, "score", 1, why = "fed a dragon")

  def show_dragons():
      return [heading("Dragons"), table(["Meals"], [[get("game", "meals")]], "So far")]
examples:
  - scenario: a meal
    steps:
      - {by: ann, do: feed, args: {food: grass}}
    expect:
      - {player: ann, score: 1}
"""


def state(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*.yaml") if "journal" not in path.parts and path.name != "head.yaml")
    return {str(path): path.read_bytes() for path in files}


def write(name: str, text: str) -> str:
    Path(name).write_text(text, "utf-8")
    return name


def adopt_dragons(moot: Moot) -> None:
    assert moot("act", "propose", "-b", "ann", "title=Dragons", "--rule", write("dragons.yaml", DRAGON)).code == 0
    assert moot("act", "finalise", "-b", "ann").code == 0
    for player in ("ann", "bob", "cid"):
        assert moot("act", "vote", "-b", player, "choice=for").code == 0


# -- help and usage


def test_the_listed_summary_of_each_command_is_its_own(moot: Moot) -> None:
    assert isinstance(group, Commands)
    help_ = moot("--help")
    assert help_.code == 0
    for name in COMMANDS:
        said = moot(name, "--help")
        assert said.code == 0, name
        assert said.out.startswith("Usage: moot"), name
        assert f"  {name} " in help_.out


@pytest.mark.parametrize("word", SUCCESSORS)
def test_a_word_that_was_a_command_tells_its_successor(moot: Moot, word: str) -> None:
    said = moot(word, "more", "--words")
    assert (said.code, f"It is `{SUCCESSORS[word]}` now." in said.err) == (2, True)
    _moot, successor, *words = SUCCESSORS[word].split()
    command = group.get_command(click.Context(group), successor)
    assert word not in COMMANDS
    assert command is not None
    options = {option for parameter in command.params for option in parameter.opts}
    assert {each for each in words if each.startswith("--")} <= options


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["tyr"], "Did you mean `try`?"),
        (["act"], "--by PLAYER where one person keeps the game"),
        (["act", "vote", "--by", "ann", "for", "against"], "are written name=value, and vote takes choice"),
        (["explain", "rule"], "`moot explain rule 203`"),
        (["explain", "ann"], "Say what to explain"),
        (["check", "--schema"], "Say which"),
        (["status", "--frm"], "No such option"),
        (["status"], "there is no game"),
        (["status", "--game", "nowhere"], "there is no game 'nowhere'"),
    ],
)
def test_wrong_usage_ends_with_2_and_says_what_to_do(moot: Moot, arguments: list[str], hint: str) -> None:
    if arguments[0] in ("act", "explain"):
        assert moot("new", "table", "-r", "suber", "-p", "ann", "-p", "bob").code == 0
    said = moot(*arguments)
    assert said.code == 2
    assert hint in said.err
    assert said.out == ""


@pytest.mark.parametrize(
    "words",
    [
        ["status", "--json", "--frm"],
        ["status", "--frm", "--json"],
        ["act", "vote", "now", "--json"],
        ["check", "nowhere.yaml", "--json"],
        ["explain", "--json"],
    ],
)
def test_wrong_usage_is_a_record_for_programs_too(table: Moot, words: list[str]) -> None:
    said = table(*words)
    assert said.code == 2
    problem, *more = json.loads(said.out)["problems"]
    assert (problem["code"], more) == ("E-ARGS", [])
    assert problem["message"] in said.err
    assert f"`moot {words[0]} --help`" in problem["hint"] or "moot --help" in problem["hint"]


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["vote", "choice=for", "choice=against", "proposal=1"], "choice is given twice: as 'for' and as 'against'"),
        (["+", "throw_die"], "A + stands between two acts"),
        (["throw_die", "+"], "A + stands between two acts"),
        (["throw_die", "+", "+", "throw_die"], "A + stands between two acts"),
    ],
)
def test_acts_that_are_written_wrongly_are_not_done(table: Moot, words: list[str], hint: str) -> None:
    said = table("act", "--by", "ann", *words)
    assert (said.code, hint in said.err, said.out) == (2, True, "")


def test_which_of_two_games_must_be_said(table: Moot) -> None:
    assert table("new", "other", "-r", "suber", "-p", "zoe", "-p", "yan").code == 0
    said = table("status")
    assert said.code == 2
    assert "Here are other, table" in said.err
    assert "It is zoe's turn" in table("status", "--game", "other").out
    assert table("status", "--game", "state/other").code == 0


@pytest.mark.parametrize("ruleset", ["suber", "a-nomic", "imperial", "lanterns", "tricks"])
def test_status_says_how_the_law_says_that_things_stand(moot: Moot, tmp_path: Path, ruleset: str) -> None:
    place = ["-C", str(tmp_path / ruleset)]
    (tmp_path / ruleset).mkdir()
    made = moot(
        *place, "new", "tea", "--ruleset", ruleset, *(w for name in ("ann", "bob", "cid") for w in ("-p", name))
    )
    assert made.code == 0, made.err
    headline = moot(*place, "status", "--json").record["headline"]
    said = " ".join(moot(*place, "status").out.split())
    assert headline, "each packaged ruleset says how it stands"
    assert headline in said
    assert said.count("'s turn.") <= 1, "whose turn it is, is said once"


def test_completion_offers_commands_and_games(table: Moot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_MOOT_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "moot ver")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert "verify" in table().out
    monkeypatch.setenv("COMP_WORDS", "moot status --game ta")
    monkeypatch.setenv("COMP_CWORD", "3")
    assert "table" in table().out


# -- founding


def test_a_new_game_is_committed_to_a_repository_and_names_whose_turn_it_is(table: Moot) -> None:
    log = subprocess.run(["git", "log", "--format=%s"], capture_output=True, text=True, check=True).stdout
    assert log.splitlines() == ["Found the game table"]
    assert subprocess.run(["git", "status", "--porcelain"], capture_output=True, check=True).stdout == b""
    status = table("status", "--json").record
    assert status["mover"] == "ann"
    assert [player["id"] for player in status["players"]] == ["ann", "bob", "cid"]
    assert "propose" in status["actions"]


def test_a_settings_file_founds_a_game_and_options_prevail(moot: Moot) -> None:
    settings = "title: By mail\nzone: Europe/Vienna\nstarts: 2026-01-05T12:00:00Z\nplayers: [{id: ann, surname: Abel}, bob]\nsettings: {mode: mail}\n"
    assert moot("new", "mail", "-r", "suber", "--file", write("settings.yaml", settings), "--title", "Post").code == 0
    status = moot("status", "--json").record
    assert (status["title"], status["at"]) == ("Post", "2026-01-05T12:00:00Z")
    assert moot("explain", "setting", "mode", "--json").record["value"] == "mail"
    faulty = moot("new", "other", "--file", write("settings.yaml", "titel: X\n"))
    assert faulty.code == 1
    assert "settings.yaml:1:1: " in faulty.err


def test_offices_are_filled_when_a_game_is_founded(moot: Moot) -> None:
    players = ["-p", "ann,email=ann@bbs.net", "-p", "tivol,email=tivol@mit.edu"]
    heat = moot("new", "heat", "-r", "imperial", *players)
    assert "Offices to begin with: tie ann, ths tivol." in heat.out
    said = moot("new", "warm", "-r", "imperial", *players, "--office", "tie=ann", "-o", "ths=tivol")
    assert (said.code, "Nobody holds" in said.out) == (0, False)
    assert moot("act", "announce_day", "-b", "ann", "-g", "warm").code == 0
    assert moot("act", "announce_day", "-b", "tivol", "-g", "warm").code == 3
    settings = "ruleset: imperial\nplayers: [ann, bob]\noffices: {tie: bob, ths: bob}\n"
    assert moot("new", "cold", "--file", write("settings.yaml", settings)).code == 0
    assert moot("act", "announce_day", "-b", "bob", "-g", "cold").code == 0


def test_the_comments_of_a_proposed_file_stay(table: Moot) -> None:
    text = DRAGON.replace("defines:", "# How often is what the tax office wants to know.\ndefines:")
    table("act", "propose", "-b", "ann", "title=Dragons", "--rule", write("dragons.yaml", text))
    table("act", "finalise", "-b", "ann")
    for player in ("ann", "bob", "cid"):
        table("act", "vote", "-b", player, "choice=YES")
    assert "# How often is what" in Path("state/table/rules/301.yaml").read_text("utf-8")
    assert table("verify").code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["Big Game", "-p", "ann"], 1, "cannot name a game"),
        (["small"], 1, "a game needs players"),
        (["small", "-p", "ann", "-r", "chess"], 1, "there is no ruleset 'chess'"),
        (["small", "-p", "ann", "-s", "adoption"], 2, "is written NAME=VALUE"),
        (["small", "-p", "ann", "-s", "weather=fine"], 1, "no switch 'weather'"),
        (["small", "-p", "ann", "-p", "ann"], 1, "ann"),
        (["small", "-p", "ann", "-z", "Atlantis"], 1, "Atlantis"),
        (["small", "-p", "ann", "-o", "scribe=zoe"], 1, "'zoe' cannot hold the office of scribe"),
        (["small", "-p", "ann", "-o", "baker=ann"], 1, "baker"),
        (["table", "-p", "ann"], 1, "there is a game in"),
    ],
)
def test_a_founding_that_cannot_be_leaves_nothing_behind(
    table: Moot, arguments: list[str], code: int, sentence: str
) -> None:
    before = state(Path("state"))
    said = table("new", "-r", "suber", *arguments)
    assert (said.code, said.out) == (code, "")
    assert sentence in said.err
    assert state(Path("state")) == before


# -- playing


def test_a_turn_is_played_from_the_command_line(table: Moot) -> None:
    adopt_dragons(table)
    assert "There are dragons" in Path("state/table/rules/301.yaml").read_text("utf-8")
    said = table("act", "feed", "--by", "cid", "food=grass")
    assert said.code == 0
    assert "fed a dragon" in said.out
    record = table("explain", "cid", "score", "--json").record
    assert record["now"] == 1
    assert [(c["applied"], c["rule"], c["by"]) for c in record["changes"]] == [(1, "301", "cid")]
    assert table("verify").code == 0


def test_a_recipe_is_proposed_as_it_fits_a_game_that_one_person_keeps(table: Moot) -> None:
    assert "market " in table("act", "propose", "--from").out
    assert "did you mean market?" in table("act", "propose", "-b", "ann", "--from", "markt").err
    assert table("act", "propose", "-b", "ann", "title=A market", "--from", "market").code == 0
    (change,) = table("explain", "entry", "2", "--json").record["with"]["changes"]
    assert change["enact"]["title"] == "The market"
    assert change["enact"]["source"].startswith("title: The market\n")


def test_a_new_rule_that_looks_like_a_recipe_is_told_so(table: Moot) -> None:
    said = table("check", write("market.yaml", "title: Market day\ntext: Everybody sells.\n"))
    assert "`moot propose --from market`" in said.err
    assert "--from" not in table("check", write("tea.yaml", "title: Tea\ntext: Tea is drunk.\n")).err


def test_a_refused_act_ends_with_3_and_changes_nothing_but_the_record(table: Moot) -> None:
    before, head = state(Path("state")), table("status", "--json").record["seq"]
    said = table("act", "propose", "-b", "bob", "title=X", "--rule", write("dragons.yaml", DRAGON))
    assert said.code == 3
    assert "Refused: " in said.err
    assert "[E-ORDER]" in said.err
    assert state(Path("state")) == before
    assert table("status", "--json").record["seq"] == head + 1
    assert "no action dance" in table("act", "dance", "-b", "ann").err
    assert table("status", "--json").record["seq"] == head + 1
    record = table("act", "dance", "-b", "ann", "--json", "--anyway")
    assert (record.code, record.record["accepted"], record.record["code"]) == (3, False, "E-NO-SUCH")


def test_the_clock_cannot_go_backwards(table: Moot) -> None:
    before = table("status", "--json").record["seq"]
    said = table("act", "state", "-b", "ann", "Early!", "--at", "2026-01-05T11:59:59Z")
    assert said.code == 1
    assert "lies before the last entry" in said.err
    assert table("status", "--json").record["seq"] == before


def test_statements_and_action_files_are_acts(table: Moot) -> None:
    assert table("act", "state", "--by", "bob", "This is a = b.").code == 0
    action = write("action.yaml", "by: bob\ndo: state\nargs: {text: From a file.}\n")
    assert table("act", "--file", action).code == 0
    entries = [table("explain", "entry", str(seq), "--json").record for seq in (2, 3)]
    assert [entry["with"]["text"] for entry in entries] == ["This is a = b.", "From a file."]


def test_dice_with_a_secret_can_be_checked_once_it_is_opened(table: Moot) -> None:
    secrets = Path(".git/folkmoot/table.secret")
    assert table("act", "open_epoch", "--by", "ann").code == 0
    assert "close it first" in table("act", "open_epoch", "--by", "ann").err
    assert secrets.stat().st_mode & 0o077 == 0
    table("act", "propose", "-b", "ann", "title=Dragons", "--rule", write("dragons.yaml", DRAGON))
    table("act", "finalise", "-b", "ann")
    for player in ("ann", "bob", "cid"):
        table("act", "vote", "-b", player, "choice=for")
    (draw,) = table("act", "throw_die", "-b", "ann", "--json").record["entry"]["draws"]
    assert draw["source"] == "epoch 1"
    assert "1 draw waits for the secret" in table("verify").out
    assert table("act", "close_epoch", "--by", "ann").code == 0
    assert not secrets.exists()
    assert "1 draw of an opened chance epoch" in table("verify").out


def test_dice_whose_secret_is_elsewhere_are_not_thrown_here(table: Moot) -> None:
    assert table("act", "open_epoch", "--by", "ann").code == 0
    Path(".git/folkmoot/table.secret").unlink()
    assert table("act", "state", "--by", "ann", "Words need no dice.").code == 0
    adopt_dragons(table)
    assert table("act", "throw_die", "-b", "ann").code != 0
    assert table("verify").code == 0


def test_a_changed_copy_of_a_rule_amends_it(table: Moot) -> None:
    text = Path("state/table/rules/206.yaml").read_text("utf-8")
    copy = write("206.yaml", text.replace("-10", "-20"))
    assert copy != text
    said = table("act", "propose", "-b", "ann", "title=Harsher", "--rule", copy, "--json")
    (change,) = said.record["entry"]["with"]["changes"]
    assert change["amend"] == "206"
    assert "-20" in change["script"]
    assert set(change) == {"amend", "script", "source"}
    same = table("act", "propose", "-b", "ann", "title=Same", "--rule", "state/table/rules/206.yaml")
    assert same.code == 1
    assert "as it is in force" in same.err


def test_a_tick_that_changes_nothing_writes_nothing(table: Moot) -> None:
    before = table("status", "--json").record["seq"]
    said = table("referee", "--until", "+1h", "--json")
    assert (said.code, said.record) == (0, {"entries": [], "dry_run": False})
    assert table("status", "--json").record["seq"] == before


# -- looking


def test_status_shows_open_votes_and_duties(table: Moot) -> None:
    table("act", "propose", "-b", "ann", "title=Dragons", "--rule", write("dragons.yaml", DRAGON))
    table("act", "finalise", "-b", "ann")
    table("act", "vote", "-b", "bob", "choice=for")
    (proposal,) = table("status", "--json").record["open"]
    assert (proposal["state"], proposal["voted"], proposal["missing"]) == ("open", ["bob"], ["ann", "cid"])
    mine = table("status", "--by", "cid", "--json").record
    assert [duty["player"] for duty in mine["duties"]] == ["cid"]
    assert table("status", "--by", "bob", "--json").record["open"] == []
    assert "not yet: ann, cid" in table("status").out


def test_explain_tells_of_rules_ballots_proposals_and_settings(table: Moot) -> None:
    adopt_dragons(table)
    assert "revision 1" in table("explain", "rule", "301").out
    assert "decided by rule 203" in table("explain", "ballot", "301", "bob").out
    assert "3 of 3" in table("explain", "proposal", "301").out
    assert table("explain", "setting", "compound", "--json").record["value"] == "one-rule"
    for words in (["rule", "999"], ["ballot", "301", "zed"], ["proposal", "999"], ["setting", "x"], ["entry", "99"]):
        said = table("explain", *words)
        assert said.code == 1, words
        assert "[E-NO-SUCH]" in said.err, words


def test_try_shows_what_a_rule_would_do_and_leaves_the_game_alone(table: Moot) -> None:
    before = {path: path.read_bytes() for path in Path("state").rglob("*.yaml")}
    steps = write("steps.yaml", "- {by: bob, do: feed, args: {food: hay}}\n- {expect: [{player: bob, score: 1}]}\n")
    said = table("try", write("dragons.yaml", DRAGON), "--steps", steps, "--show", "dragons")
    assert said.code == 0
    assert "New actions: feed" in said.out
    assert [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in said.out.splitlines()[-4:]] == [
        "So far",
        "Meals",
        "─────",
        "    1",
    ]
    assert {path: path.read_bytes() for path in Path("state").rglob("*.yaml")} == before
    wrong = write("steps.yaml", "- {expect: [{player: bob, score: 7}]}\n")
    assert table("try", "dragons.yaml", "--steps", wrong).code == 1


def test_try_warns_of_a_rule_that_would_end_all_rule_changes(table: Moot) -> None:
    trap = 'title: Silence\nlabels: {status: mutable}\ntext: Nobody may propose.\nscript: |\n  def forbid_propose(a):\n      return refuse("E-STATUS", "silence")\n'
    said = table("try", write("trap.yaml", trap))
    assert "Beware" in said.err


def test_check_names_file_line_and_column(table: Moot) -> None:
    assert table("check", write("dragons.yaml", DRAGON)).code == 0
    faulty = DRAGON.replace('meals", 1)', 'meals", 1 / 2)')
    said = table("check", write("faulty.yaml", faulty))
    assert said.code == 1
    assert "faulty.yaml:12:30: " in said.err
    assert "hint: " in said.err
    wrong = table("check", write("wrong.yaml", DRAGON.replace("score: 1}", "score: 2}")), "--json")
    assert wrong.code == 1
    assert [problem["code"] for problem in wrong.record["problems"]] == ["E-EXAMPLE"]
    assert table("check").code == 0


def test_verify_names_the_file_that_was_changed_and_ends_with_4(table: Moot) -> None:
    adopt_dragons(table)
    path = Path("state/table/things/player.yaml")
    path.write_text(path.read_text("utf-8").replace("score: 0", "score: 9", 1), "utf-8")
    said = table("verify")
    assert said.code == 4
    assert "things/player.yaml" in said.err
    assert table("verify", "--json").record["sound"] is False


def test_scenarios_that_fail_are_named(moot: Moot) -> None:
    good = "scenario: a game begins\nruleset: suber\nplayers: [ann, bob]\nexpect:\n  - {game: true, next_number: 301}\n"
    write("good.yaml", good)
    assert moot("check", "good.yaml").out.endswith("all is well. 1 of 1 scenario held.\n")
    write("bad.yaml", good.replace("301", "302"))
    said = moot("check", ".")
    assert said.code == 1
    assert said.out.endswith("1 of 2 scenarios held.\n")
    assert "bad.yaml" in said.err


def test_schemas_are_written_for_editors(moot: Moot) -> None:
    said = moot("check", "--schema", "--out", "schemas")
    assert said.code == 0
    line = "# yaml-language-server: $schema=schemas/rule.json"
    assert line in said.err.splitlines()
    assert line in [told.strip() for told in moot("check", "--schema", "--help").out.splitlines()]
    assert {path.stem for path in Path("schemas").glob("*.json")} >= {"rule", "action", "settings", "scenario"}
    assert moot("check", "--schema", "rule").record["type"] == "object"


# -- the demonstration


def test_the_demonstration_ends_with_the_figures_of_t2_65(moot: Moot) -> None:
    record = moot("demo", "--no-serve", "--json").record
    assert [turn["score"] for turn in record["turns"]] == [-5, 11, 12, 13, 14, 15, 12, 28, 30, 32, 34, 36, 35]
    assert [turn["mover"] for turn in record["turns"]] == "JA RH BR ZT JVG FW JA RH BR ZT JVG FW JA".split()
    zoids = {player: registers["zoids"] for player, registers in record["players"].items()}
    assert zoids == {"JA": 12, "RH": 28, "BR": 30, "ZT": 32, "JVG": 14, "FW": 15}
    assert record["offices"] == {"judge": None, "scribe": "JA", "object_orienter": "RH"}
    stretches = record["stretches"]
    assert {team: each["score"] for team, each in stretches["starball"]["teams"].items()} == {"Emerald": 0, "Peach": 1}
    assert stretches["planks"]["game"]["temperature"] == 275
    ends = {game: GameFolder(Path("build/demo/state") / game).head.at or 0 for game in ("mail-game", *stretches)}
    ago = {game: (time.time() - at) / 86_400 for game, at in ends.items()}
    assert 0 <= ago["mail-game"] < 0.1, "it does not look abandoned"
    assert all(0 <= days < 8 for days in ago.values())
    assert moot("-C", "build/demo", "verify").code == 0


def test_the_demonstration_overwrites_nothing_of_somebody_else(moot: Moot) -> None:
    Path("mine").mkdir()
    Path("mine/precious.txt").write_text("mine", "utf-8")
    said = moot("demo", "mine", "--no-serve")
    assert said.code == 1
    assert "is not empty" in said.err
    assert Path("mine/precious.txt").read_text("utf-8") == "mine"


def test_a_site_is_served_on_this_machine_alone_and_on_the_next_free_port(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>Hello</p>", "utf-8")
    app = site_app(tmp_path)
    with running(app, None) as (first, _), running(app, None) as (second, _):
        assert first != second
        assert urlsplit(first).hostname == "127.0.0.1"
        connection = HTTPConnection(urlsplit(first).netloc, timeout=10)
        connection.request("GET", "/index.html")
        assert connection.getresponse().read() == b"<p>Hello</p>"
        connection.close()


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_missing_page_is_answered_by_the_site_s_own(tmp_path: Path, method: str) -> None:
    (tmp_path / "404.html").write_text("<p>Gone</p>", "utf-8")
    with running(site_app(tmp_path), None) as (address, _thread):
        connection = HTTPConnection(urlsplit(address).netloc, timeout=10)
        connection.request(method, "/nowhere/x.html")
        answer = connection.getresponse()
        assert (answer.status, answer.read()) == (404, b"<p>Gone</p>" if method == "GET" else b"")
        connection.close()


def test_a_new_game_tells_git_what_to_leave_alone(moot: Moot, tmp_path: Path) -> None:
    assert moot("new", "table", "-r", "suber", "-p", "ann", "-p", "bob").code == 0
    assert "state/** -text" in (tmp_path / ".gitattributes").read_text().splitlines()
    ignored = (tmp_path / ".gitignore").read_text().splitlines()
    assert {".pending/", "/site/", "/site_src/index.md"} <= set(ignored)
    assert not git(tmp_path, "status", "--porcelain"), "they are in the founding commit"
    assert ".gitattributes" in git(tmp_path, "ls-files")
    assert moot("serve", "--build").code == 0
    assert "site_src/table/" not in git(tmp_path, "status", "--porcelain", "--untracked-files=all")


def test_git_files_of_ones_own_are_never_changed(moot: Moot, tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("mine\n")
    assert moot("new", "table", "-r", "suber", "-p", "ann", "-p", "bob").code == 0
    assert moot("serve", "--build").code == 0
    assert (tmp_path / ".gitignore").read_text() == "mine\n"
    assert (tmp_path / ".gitattributes").exists()


def test_this_repository_tells_git_the_same() -> None:
    for name, text in GIT_FILES.items():
        wanted = {line for line in text.splitlines() if not line.startswith("#")}
        assert wanted <= set((ROOT / name).read_text("utf-8").splitlines()), name


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True).stdout


def test_check_points_out_a_register_that_the_law_has_already(table: Moot, tmp_path: Path) -> None:
    taken = "title: Rivals\ntext: x\ndefines:\n  player:\n    score: {type: integer, initial: 3, summary: x}\n"
    (tmp_path / "rivals.yaml").write_text(taken, "utf-8")
    said = table("check", "rivals.yaml")
    assert said.code == 0
    assert "state/table/rules/112.yaml" in said.out + said.err
    assert "1 file checked: 1 hint." in said.out


def test_steps_that_are_no_list_are_refused_with_their_place(table: Moot) -> None:
    steps, rule = Path("steps.yaml"), write("dragons.yaml", DRAGON)
    steps.write_text("by: ann\ndo: propose\n")
    said = table("try", rule, "--steps", str(steps))
    assert (said.code, "steps.yaml:1:1: the steps must be a list" in said.err) == (1, True)


def test_a_game_that_stood_still_for_long_is_tried_in_a_few_lines(table: Moot, tmp_path: Path) -> None:
    rule = "title: Bells\ntext: They chime.\ntimers: {bell: {every: day, summary: It chimes}}\nscript: |\n"
    rule += '  def on_bell(e):\n      add("game", "chimes", 1)\n'
    rule += "defines: {game: {chimes: {type: integer, initial: 0, summary: Chimes}}}\n"
    (tmp_path / "bells.yaml").write_text(rule, "utf-8")
    (tmp_path / "steps.yaml").write_text("- {by: ann, do: state, args: {text: At last.}}\n", "utf-8")
    words = ("act", "propose", "--by", "ann", "--rule", "bells.yaml", "title=Bells", "--at", "2026-01-05T12:00:30Z")
    assert table(*words).code == 0
    said = table("try", "bells.yaml", "--steps", "steps.yaml")
    assert said.code == 0, said
    everything = table("try", "bells.yaml", "--steps", "steps.yaml", "--json").record["entries"]
    assert len(everything) < 100 or "more entries from" in said.out
    assert len(said.out.splitlines()) < 40, "a day each since January"
    assert "At last." in said.out


def test_a_file_whose_name_is_no_utf_8_is_checked_like_any_other(moot: Moot, tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path / "rules") + b"\xff\xfe.yaml")).write_text(
        "title: Tea\ntext: Tea.\n", "utf-8"
    )
    assert moot("check", ".").code == 0
