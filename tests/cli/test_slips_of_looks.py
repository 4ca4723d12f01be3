"""What is typed wrongly by those who look: words of other tools, words swapped, things that are not there."""

from __future__ import annotations

import json

import pytest

from tests.support.gathering import Gathering, Slip, not_told, slip, voted_on
from tests.support.meeting import GAME, git
from tests.support.moot import Moot

COMMANDS: tuple[Slip, ...] = (
    ("propse", 2, "Did you mean `propose`?"),
    ("STATUS", 2, "Did you mean `status`?"),
    ("throw-die", 2, "an action of the game: `moot act throw_die`"),
    ("pause", 2, "`moot act pause`"),
    ("scores", 2, "`moot show scores`"),
    ("pull --rebase", 2, "`git pull --rebase`"),
    ("pr list", 2, "`moot status`"),
    ("help vote", 2, "`moot vote --help`"),
    ("play", 2, "`moot demo --play`", "`moot table`"),
    ("version", 2, "`moot --version`"),
    ("status -C x", 2, "`moot -C FOLDER status`"),
    ("status --game chess", 2, "no game 'chess'", f"--game {GAME}"),
    ("comment --on 1 Hm. --game chess", 2, "no game 'chess'"),
    ("try 1 --game chess", 2, "no game 'chess'"),
    ("propose --game chess", 2, "no game 'chess'"),
    ("join --game chess", 2, "no game 'chess'"),
    (f"verify {GAME}", 2, f"`moot verify --game {GAME}`"),
    ("status 60", 2, "`moot status --wait --timeout 60`"),
    ("status --wait --timeout soon", 2, "'soon' is not a valid float"),
    ("status --remote orign", 5, "no remote 'orign'", "origin"),
    ("log 3", 2, "`moot log --pull-request 3`"),
    ("log bob", 2, "`moot log --by bob`"),
    ("log -5", 2, "`moot log --number 5`"),
    ("log --author ann", 2, "`moot log --by …`"),
    ("log --pr 1", 2, "`moot log --pull-request …`"),
    ("log --by bbo", 1, "nobody here is called bbo", "there are ann, bob"),
    ("log --pull-request 99", 1, "there is no pull request 99", "open: 1 (Tea)"),
    *((f"log '--since={word}'", 2, "2d, 3h30m") for word in ("yesterday", "", "2x", "-3d")),
    ("explain rule 999", 1, "999"),
    ("explain score", 2, "`ann score`", "`moot show registers`"),
    ("explain score ann", 1, "`moot explain ann score`"),
    ("explain bbo score", 1, "nobody here is called bbo", "`moot explain bob score`"),
    ("explain ann scroe", 1, "no scroe", "did you mean score?"),
    ("explain rules 203", 1, "`moot explain rule 203`"),
    ("explain ballot 301", 2, "`moot explain ballot 305 ann`"),
    ("explain ballot 301 dave", 1, "nobody here is called dave"),
    ("explain pull 1", 1, "`moot show 1`"),
    ("explain proposal 99", 1, "there is no proposal 99", "`moot log`"),
    ("explain setting compond", 1, "did you mean `compound`?"),
    ("explain office judge", 1, "`moot explain office/judge holder`"),
    ("explain entry x", 2, "`moot explain entry 12`"),
    ("explain entry 999", 1, "999"),
    ("show scroes", 1, "did you mean `moot show scores`?"),
    ("show 7", 1, "no pull request 7", "open: 1 (Tea)"),
    ("show 0", 1, "there is no pull request 0"),
    ("show rule", 2, "moot show rule 301"),
    ("show rule 999", 1, "`moot show rules` lists them"),
    ("show rules 206", 2, "`moot show rule 301`"),
    ("show cidd", 1, "did you mean `moot show cid`?"),
    ("show proposal 301", 2, "`moot explain`"),
    ("init --forge github --home https://git.example/a/b", 1, "is played on plain git",
     "moot init --move --forge github --home https://git.example/a/b"),
)  # fmt: skip


def test_each_slip_of_whoever_looks_is_told(gathering: Gathering) -> None:
    voted_on(gathering)
    git(gathering.clone("bob"), "pull", "--quiet")
    slip(gathering, COMMANDS)


@pytest.mark.parametrize(
    "words", [("status",), ("verify",), ("vote", "1", "for"), ("propose",), ("join",), ("try", "1")]
)
def test_in_a_folder_without_a_game(moot: Moot, words: tuple[str, ...]) -> None:
    said = moot(*words)
    reads = words in (("status",), ("verify",))
    assert said.code == (2 if reads else 5)
    assert ("there is no game" in said.err, "moot new NAME" in said.err) == (reads, reads)
    assert ("there is no git repository here" in said.err) != reads


@pytest.mark.parametrize(
    "words", ["status --json --frm", "status --frm --json", "act vote now --json", "check nowhere.yaml --json", "explain --json"]
)  # fmt: skip
def test_wrong_usage_is_a_record_for_programs_too(table: Moot, words: str) -> None:
    said = table(*words.split())
    assert said.code == 2
    problem, *more = json.loads(said.out)["problems"]
    assert (problem["code"], more) == ("E-ARGS", [])
    assert problem["message"] in said.err
    assert f"`moot {words.split(maxsplit=1)[0]} --help`" in problem["hint"] or "moot --help" in problem["hint"]


def test_of_two_games_that_one_person_keeps_one_is_named(table: Moot) -> None:
    assert table("new", "other", "-r", "suber", "-p", "zoe", "-p", "yan").code == 0
    slips: tuple[Slip, ...] = (
        ("status", 2, "Here are other, table"),
        ("status --game nowhere", 2, "there is no game 'nowhere'"),
        ("status --game other", 0, "It is zoe's turn"),
        ("status --game state/other", 0, "It is zoe's turn"),
        ("show 3 --game other", 1, "moot show rule 3"),
    )
    wrong = not_told(table, slips)
    assert not wrong, "\n\n".join(wrong)
