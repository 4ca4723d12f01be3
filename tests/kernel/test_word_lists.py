"""A law looks words up in lists that lie beside the record, named by digest in the founding."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pygit2
import pytest
from click.testing import CliRunner
from git import Repo

from folkmoot.cli.main import moot
from folkmoot.core.problems import ProblemError
from folkmoot.core.word_lists import LONGEST_WORD, WordList, in_order, spec_of
from folkmoot.game.rulesets import founding_in
from folkmoot.game.session import Session
from folkmoot.game.verify import replayed_anew, validate_advance, verify
from folkmoot.journal import GameFolder
from folkmoot.journal.tree import GameTree
from tests.support.table import START, Table, failed, rule

SAYS = """
def do_say(a):
    require(in_list("english", a.args.word), "E-WORD", "that is no word")
    announce(a.args.word)
"""
SAY = {"actions": {"say": {"arguments": {"word": {"type": "text"}}}}}
SAYING = rule("1", SAYS, **SAY)
ENGLISH = in_order("tea\nscone\nbutter\n")


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
    for later, told in ((second, "the file was changed"), (third, "the file was removed")):
        problems = [(p.code, p.message.partition(",")[0]) for p in validate_advance(first, later)]
        assert problems == [("E-DERIVED", told)]


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


def test_a_ruleset_brings_its_lists_and_the_game_keeps_them(tea: Path) -> None:
    checked = json.loads(run("check", tea, "--json"))
    assert (checked["passed"], checked["failed"]) == (1, [])
    assert founding_in(tea)["lists"] == {"english": spec_of(ENGLISH)}
    run("new", "party", "-r", "./tea", "--at", "2026-01-05T12:00:00Z", "--no-commit")
    folder = Path("state/party")
    kept = folder / "lists" / "english.txt"
    assert kept.read_text() == ENGLISH
    with Session.open(folder, writing=True) as session:
        assert session.act("ann", "say", {"word": "tea"}, at=START + 60).accepted
        assert session.act("ann", "say", {"word": "toa"}, at=START + 60).code == "E-WORD"

    def problems() -> list[str]:
        report = verify(GameFolder(folder), replayed_anew(GameFolder(folder)))
        return [problem.code for problem in report.problems]

    assert problems() == []
    kept.write_text(ENGLISH + "zest\n")
    assert "E-LIST" in problems()
    kept.unlink()
    with Session.open(folder, writing=True) as session, pytest.raises(ProblemError, match="english is missing"):
        session.act("ann", "say", {"word": "tea"}, at=START + 60)
    with Session.open(folder) as session:
        assert session.head.seq == 3, "nothing was recorded"
    kept.write_text(ENGLISH)
    (folder / "lists" / "french.txt").write_text("thé\n")
    assert problems() == ["E-STRAY"]
