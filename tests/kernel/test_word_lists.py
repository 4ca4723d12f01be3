"""Language L14: a law looks words up in lists that lie beside the record, named by digest in the founding."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pygit2
import pytest
from click.testing import CliRunner
from git import Repo

from folkmoot.cli.main import moot
from folkmoot.core.problems import ProblemError
from folkmoot.core.word_lists import LONGEST_WORD, WordList, flaw_of_list, in_order, spec_of
from folkmoot.game.rulesets import founding_in
from folkmoot.game.session import Session
from folkmoot.game.verify import replayed_anew, validate_advance, verify
from folkmoot.journal import GameFolder
from folkmoot.journal.tree import GameTree
from folkmoot.kernel.step import Kernel
from folkmoot.sandbox.client import Sandbox
from tests.support.table import START, Table, failed, rule
from tests.support.timing import Spent

SAYS = """
def do_say(a):
    require(in_list("english", a.args.word), "E-WORD", "that is no word")
    announce(a.args.word)
"""
SAY = {"actions": {"say": {"arguments": {"word": {"type": "text"}}}}}
SAYING = rule("1", SAYS, **SAY)
ENGLISH = in_order("tea\nscone\nbutter\n")
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def many() -> str:
    """Return a list of 300,000 words."""
    words = ("".join(letters) for letters in product(LETTERS, repeat=4))
    return in_order("\n".join(word for word, _ in zip(words, range(300_000), strict=False)))


def test_a_law_looks_words_up_and_the_list_is_fetched_once() -> None:
    table = Table(SAYING, words={"english": ENGLISH})
    assert table.kernel.documents.find("game")["lists"] == {"english": spec_of(ENGLISH)}
    assert table.fetched == 0, "nobody has asked yet"
    table.ok("ann", "say", word="tea")
    assert table.refused("ann", "say", word="Tea") == "E-WORD"
    assert table.refused("ann", "say", word="te") == "E-WORD"
    assert table.fetched == 1
    table.replay_all()


def test_a_list_that_the_game_does_not_have_is_a_failure_of_the_rule() -> None:
    table = Table(rule("1", SAYS.replace("english", "french"), **SAY), words={"english": ENGLISH})
    outcome = table.act("ann", "say", word="tea")
    assert failed(outcome) == [("1", "do_say")]
    assert "no word list 'french'" in outcome.failures[0]["error"]


@pytest.mark.parametrize(
    ("text", "why"), [(None, "is missing"), (ENGLISH + "zest\n", "is not the one that the game was")]
)
def test_a_list_that_is_not_that_of_the_founding_judges_nothing(text: str | None, why: str) -> None:
    table = Table(SAYING, words={"english": ENGLISH})
    table.words = {} if text is None else {"english": text}
    before = table.kernel.documents.everything()
    with pytest.raises(ProblemError, match=rf"the word list english {why}") as caught:
        table.act("ann", "say", word="tea")
    assert caught.value.problems[0].code == "E-LIST"
    table.kernel.undo()
    assert table.kernel.documents.everything() == before
    table.words = {"english": ENGLISH}
    table.ok("ann", "say", word="tea")


def test_every_word_of_a_list_is_found_and_none_beside() -> None:
    words = ["a", "ab", "abc", "b", "ba", "é", "ice cream", "z", "zz"]
    found = WordList(in_order("\n".join(words)))
    assert all(word in found for word in words)
    assert not any(f"{word}x" in found or f" {word}" in found or f"{word}\n" in found for word in words)
    assert "" not in found
    assert "a" not in WordList("")


def test_a_large_list_answers_at_once_and_costs_nobody_who_does_not_use_it() -> None:
    text = many()
    idle = Table(rule("1", "def do_say(a):\n    announce('x')", **SAY), words={"english": text})
    idle.ok("ann", "say", word="abcd")
    assert idle.fetched == 0
    table = Table(SAYING, words={"english": text})
    table.ok("ann", "say", word="abcd")
    with Spent() as spent:
        for _ in range(20):
            table.ok("ann", "say", word="qrst")
    assert spent.units / 20 < 1
    assert table.refused("ann", "say", word="zzzz") == "E-WORD"
    assert len(json.dumps(table.entries)) < 20_000, "the record does not hold the list"


# -- on disk


@pytest.fixture
def tea(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a ruleset with a word list, in the folder that is the present one."""
    monkeypatch.chdir(tmp_path)
    script = "".join(f"  {line}\n" for line in SAYS.strip().splitlines())
    files = {
        "ruleset.yaml": "ruleset: tea\ntitle: Tea\npeople: [{id: ann}]\n",
        "rules/1.yaml": 'title: Saying\nrule: "1"\ntext: x\nactions: {say: {arguments: {word: {type: text}}}}\n'
        f"script: |\n{script}",
        "lists/english.txt": "tea\r\nscone\n\n  butter\ntea\n",
        "scenarios/say.yaml": "scenario: Saying\nruleset: tea\nsteps:\n  - {do: say, by: ann, args: {word: scone}}\n"
        "  - {do: say, by: ann, args: {word: scon}, refused: E-WORD}\n",
    }
    for name, text in files.items():
        (tmp_path / "tea" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tea" / name).write_bytes(text.encode())
    return tmp_path / "tea"


def run(*arguments: object) -> str:
    return CliRunner().invoke(moot, [str(each) for each in arguments]).output


def test_a_ruleset_brings_its_lists_and_the_game_keeps_them(tea: Path) -> None:
    assert founding_in(tea)["lists"] == {"english": spec_of(ENGLISH)}
    run("new", "party", "-r", "./tea", "--at", "2026-01-05T12:00:00Z", "--no-commit")
    folder = Path("state/party")
    assert (folder / "lists" / "english.txt").read_text() == ENGLISH
    with Session.open(folder, writing=True) as session:
        assert session.act("ann", "say", {"word": "tea"}, at=START + 60).accepted
        assert session.act("ann", "say", {"word": "toa"}, at=START + 60).code == "E-WORD"
    report = verify(GameFolder(folder), replayed_anew(GameFolder(folder)))
    assert report.sound, report.problems
    assert report.counts["lists"] == 1
    (folder / "lists" / "english.txt").write_text(ENGLISH + "zest\n")
    report = verify(GameFolder(folder), replayed_anew(GameFolder(folder)))
    assert "E-LIST" in {problem.code for problem in report.problems}
    (folder / "lists" / "english.txt").unlink()
    with Session.open(folder, writing=True) as session, pytest.raises(ProblemError, match="english is missing"):
        session.act("ann", "say", {"word": "tea"}, at=START + 60)
    with Session.open(folder) as session:
        assert session.head.seq == 3, "nothing was recorded"
    report = verify(GameFolder(folder), replayed_anew(GameFolder(folder)))
    assert any("the word list english is missing" in problem.message for problem in report.problems)
    (folder / "lists" / "english.txt").write_text(ENGLISH)
    (folder / "lists" / "french.txt").write_text("thé\n")
    report = verify(GameFolder(folder), replayed_anew(GameFolder(folder)))
    assert [problem.code for problem in report.problems] == ["E-STRAY"]


def test_a_list_comes_with_a_founding_by_git_and_nobody_changes_it_later(tea: Path) -> None:
    run("new", "party", "-r", "./tea", "--at", "2026-01-05T12:00:00Z")
    with Repo(".") as repo:
        founded = repo.head.commit.hexsha
        file = Path("state/party/lists/english.txt")
        file.write_text(ENGLISH + "zest\n")
        repo.index.add([str(file)])
        changed = repo.index.commit("More words").hexsha
        repo.index.remove([str(file)])
        gone = repo.index.commit("No words").hexsha
    git = pygit2.Repository(".")
    none, first, second, third = (GameTree(git, commit, "party") for commit in ("", founded, changed, gone))
    assert validate_advance(none, first) == []
    assert [(p.code, p.message.partition(",")[0]) for p in validate_advance(first, second)] == [
        ("E-DERIVED", "the file was changed")
    ]
    assert [(p.code, p.message.partition(",")[0]) for p in validate_advance(first, third)] == [
        ("E-DERIVED", "the file was removed")
    ]


def test_scenarios_and_examples_of_the_folder_look_words_up(tea: Path) -> None:
    found = json.loads(run("check", tea, "--json"))
    assert (found["passed"], found["failed"]) == (1, [])
    rule_file = tea / "rules" / "1.yaml"
    example = "examples: [{scenario: Says, steps: [{do: say, by: ann, args: {word: %s}}]}]\n"
    rule_file.write_text(rule_file.read_text() + example % "butter")
    assert json.loads(run("check", tea, "--json"))["problems"] == []
    rule_file.write_text(rule_file.read_text().replace("butter", "margarine"))
    assert [p["code"] for p in json.loads(run("check", tea, "--json"))["problems"]] == ["E-EXAMPLE"]


MALFORMED: dict[str, tuple[str, bytes, str]] = {
    "empty": ("english.txt", b"\n \n", "E-FORMAT"),
    "not text": ("english.txt", b"tea\n\xff\xfe\n", "E-UTF8"),
    "odd character": ("english.txt", b"tea\nsc\x00ne\n", "E-FORMAT"),
    "long word": ("english.txt", b"x" * (LONGEST_WORD + 1), "E-FORMAT"),
    "odd name": ("My list.txt", b"tea\n", "E-IDENTIFIER"),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_a_malformed_list_is_told(tea: Path, case: str) -> None:
    name, data, code = MALFORMED[case]
    (tea / "lists" / name).write_bytes(data)
    with pytest.raises(ProblemError) as caught:
        founding_in(tea)
    assert [problem.code for problem in caught.value.problems] == [code]
    found: list[dict[str, Any]] = json.loads(run("check", tea / "ruleset.yaml", "--json"))["problems"]
    assert [problem["code"] for problem in found] == [code]


@pytest.mark.parametrize(
    "lists", [[], {"English": spec_of("tea\n")}, {"a": {}}, {"a": {"digest": "x", "words": 1}}, {"a": 5},
              {"a": {**spec_of("tea\n"), "more": 1}}]
)  # fmt: skip
def test_a_founding_that_names_lists_otherwise_is_refused(lists: Any) -> None:
    assert Table(SAYING, lists=lists).founded.code == "E-ARGS"


def test_the_process_of_the_sandbox_is_given_a_list_when_a_rule_asks() -> None:
    asked: list[str] = []

    def lists(key: str) -> dict[str, str]:
        asked.append(key)
        return {"words": ENGLISH}

    table = Table(SAYING, words={"english": ENGLISH})
    with Sandbox(lists=lists) as sandbox:
        sandbox.replay(table.entries)
        assert asked == []
        table.ok("ann", "say", word="tea")
        sandbox.replay(table.entries[1:])
        assert asked == [f"lists/english/{spec_of(ENGLISH)['digest']}"]
    assert isinstance(table.kernel, Kernel)
    assert flaw_of_list(ENGLISH) == ""
