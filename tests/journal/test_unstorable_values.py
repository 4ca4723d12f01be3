"""What the record's reader would refuse its writer refuses, too: no comment and no rule makes a game unreadable."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.files.reader import read_rule
from folkmoot.game.session import Session
from folkmoot.game.verify import verify
from folkmoot.journal import GameFolder
from folkmoot.journal.layout import check_document, document_bytes, entry_bytes
from folkmoot.referee.commands import asked, commands_in
from folkmoot.sandbox.client import Sandbox
from tests.support.table import START, VOTING, Table, rule

LONG = "k" * 1_100


def deep(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


ACTIONS = {
    "vote": {"arguments": {}},
    "give": {"arguments": {"amount": {"type": "integer"}, "x": {"type": "any"}}},
    "join": {"arguments": {"attributes": {"type": "map"}}},
}


@pytest.mark.threat("T-41")
@pytest.mark.parametrize(
    "line",
    [
        f"/vote for {LONG}=1", "/vote for x=[1.5]", "/vote for x=" + "[" * 4_900, '/vote for x="\\ud800"', "/vote for x=" + "[" * 45 + "]" * 45,
        "/do give amount=" + "9" * 4_290, "/do give amount=" + "9" * 6_000, '/do give x=\'{"a":[{"b":0.5}]}\'',
        "/join attributes='{\"" + LONG + "\":1}'", "/join attributes=" + "[" * 4_900,
        f"/do give x=1 as={LONG}", "/do give x=[NaN]", "/do give x='{\"$\":4}'",
    ],
    ids=lambda line: line[:24],
)  # fmt: skip
def test_a_comment_asks_for_nothing_that_no_record_can_hold(line: str) -> None:
    (command,) = commands_in(line)
    found = asked(command, ACTIONS)
    assert found.flaw
    assert found.flaw.startswith("/")
    assert "\n" not in found.flaw
    assert len(found.flaw) < 400


def reopened(folder: Path) -> Session:
    """Prove the record and open the game as any later run does."""
    record = GameFolder(folder)

    def replay(entries: Any) -> Any:
        with Sandbox() as judge:
            judge.replay(entries)
            return dict(judge.documents())

    report = verify(record, replay)
    assert report.sound, report.problems
    return Session(record, record.load(), record.head)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    given = {
        "rules": [VOTING],
        "players": [{"id": "ann"}, {"id": "bob"}],
        "administrators": ["root"],
        "title": "T",
        "zone": "UTC",
    }
    assert Session.found(tmp_path / "game", given, START).accepted
    return tmp_path / "game"


@pytest.mark.threat("T-41")
@pytest.mark.parametrize(
    "given",
    [
        {"by": "ann", "do": "vote", "with_": {"choice": "for", LONG: 1}},
        {"by": "ann", "do": "vote", "with_": {"x": deep(45)}},
        {"by": "ann", "do": "vote", "with_": {"x": deep(4_900)}},
        {"by": "ann", "do": "vote", "with_": {"x": [1.5]}},
        {"by": "ann", "do": "vote", "with_": {"x": 10**4_000}},
        {"by": "ann", "do": "vote", "with_": {"x": "\ud800"}},
        {"by": "z" * 1_100, "do": "join", "with_": {}, "via": {"forge": "local", "pull": 3, "fact": "f"}},
        {"by": "zed", "do": "join", "with_": {}, "via": {"forge": "local", "pull": 3, "fact": "f" * 1_100}},
        {"by": "ann", "do": "d" * 1_100},
        {"by": "ann", "do": "vote", "as_": "\udfff"},
        {"by": "ann", "do": "propose", "with_": {"changes": [{"enact": {"title": "x", "text": "y" * 300_000}}]}},
    ],
    ids=range(11),
)  # fmt: skip
def test_such_an_act_is_refused_in_one_sentence_and_leaves_no_trace(game: Path, given: dict[str, Any]) -> None:
    with Session.open(game, writing=True) as session:
        with pytest.raises(ProblemError) as refused:
            session.act(at=START + 60, **given)
        assert [problem.code for problem in refused.value.problems] == ["E-ARGS"]
        assert session.head.seq == 1
        assert session.act("ann", "propose", {"title": "x", "changes": []}, at=START + 120).accepted
    assert reopened(game).head.seq == 2


SAID = ("E-BOUNDS", "E-BUDGET", "of the language's own")


def hooked(body: str, **parts: Any) -> dict[str, Any]:
    return rule("1", f"def do_go(a):\n    {body}\n", actions={"go": {"arguments": {}}}, **parts)


DEEPLY = "x = [1]\n    for i in range(60):\n        x = [x]\n    "
HARMFUL = {
    "announced": DEEPLY + 'announce("x", f = x)',
    "announced key": 'announce("x", f = {"k" * 3000: 1})',
    "emitted": DEEPLY + 'emit("x", f = x)',
    "queued": DEEPLY + 'later("x", f = x)',
    "timer's key": 'after(60, "t", key = "k" * 3000)',
    "timer's payload": DEEPLY + 'after(60, "t", f = x)',
    "timer's payload key": 'after(60, "t", f = {"k" * 3000: 1})',
    "duty": 'owe("ann", "k" * 3000)',
    "duty's key": 'owe("ann", "x", key = "k" * 3000)',
    "label of dice": 'roll(6, label = "x" * 300000)',
    "register": DEEPLY + 'put("game", "m", {"a": x})',
    "register's key": 'put("game", "m", {"k" * 3000: 1})',
    "fraction": 'announce("x", f = 1.5)',
    "wide": 'x = 2\n    for i in range(13):\n        x = x * x\n    announce("x", f = x)',
}


@pytest.mark.threat("T-42")
@pytest.mark.parametrize("name", HARMFUL)
def test_a_rule_that_hands_over_such_a_value_fails_at_that_line(name: str, tmp_path: Path) -> None:
    made = hooked(HARMFUL[name], defines={"game": {"m": {"type": "map"}}})
    table = Table(made)
    assert table.founded.accepted
    outcome = table.act("ann", "go")
    assert not outcome.accepted
    (failure,) = outcome.failures
    assert failure.get("code", "of the language's own") in SAID
    assert len(failure["error"]) < 400
    entry_bytes(table.entries[-1])


@pytest.mark.threat("T-42")
@pytest.mark.parametrize(
    "body",
    [
        'after(60 + a.args.n, "t", key = "t%d" % a.args.n, text = ["x" * 50000] * 4)',
        'put("ann", "s%d" % (a.args.n % 50), "x" * 50000)',
        'create("stone", note = "x" * 50000)',
    ],
)
def test_no_file_of_the_game_grows_beyond_what_is_read(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("folkmoot.kernel.documents.LARGEST_DOCUMENT", 500_000)
    made = rule(
        "1", f"def do_go(a):\n    {body}\n", actions={"go": {"arguments": {"n": {"type": "integer"}}}},
        defines={
            "player": {f"s{n}": {"type": "text"} for n in range(50)},
            "kinds": {"stone": {"registers": {"note": {"type": "text"}}}},
        },
    )  # fmt: skip
    table = Table(made)
    outcomes = [table.act("ann", "go", n=n) for n in range(12)]
    assert outcomes[0].accepted
    assert {failure["code"] for failure in outcomes[-1].failures} == {"E-BOUNDS"}
    assert max(len(text_of(document)) for document in table.kernel.documents.everything().values()) < 1_000_000


def text_of(document: Any) -> str:
    from folkmoot.files.canonical import write_yaml

    return write_yaml(document)


@pytest.mark.threat("T-43")
def test_a_file_that_opening_could_not_read_is_never_written(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = {path: path.read_bytes() for path in game.rglob("*.yaml")}
    monkeypatch.setattr("folkmoot.journal.record.entry_bytes", broken(entry_bytes))
    with Session.open(game, writing=True) as session:
        with pytest.raises(ProblemError) as refused:
            session.act("ann", "propose", {"title": "one", "changes": []}, at=START + 60)
        assert refused.value.problems[0].code == "E-FAULT"
        assert session.head.seq == 1
        monkeypatch.undo()
        assert session.act("ann", "propose", {"title": "two", "changes": []}, at=START + 60).accepted
    assert before.keys() <= set(game.rglob("*.yaml"))
    assert reopened(game).head.seq == 2


def broken(write: Callable[..., bytes]) -> Callable[..., bytes]:
    return lambda entry: write(entry).replace(b"title: one", b"title: eno")


@pytest.mark.parametrize(
    "source",
    [
        "title: A dragon\ntext: |\n  Let it be so.\n",
        "# mine\ntitle: A dragon  # a good one\ntext: |\n  Let it be so.\nlabels: {b: x, a: y}\n",
        "text: Let it be so.\ntitle: 'A dragon'\ndefines: {game: {m: {type: map, optional: false}}}\n",
    ],
)
def test_a_person_s_own_file_of_a_rule_is_read_back_as_that_rule(source: str) -> None:
    parts = {"title": "A dragon", "text": "Let it be so.\n"}
    for document in ({**parts, "source": source}, {**read_rule(source, "x.yaml"), "source": source}):
        whole = {"rule": "301", "uid": "301", **document}
        data = document_bytes("rules/301", whole)
        check_document("rules/301", whole, data, "rules/301.yaml")
        with pytest.raises(ProblemError):
            check_document("rules/301", {**whole, "text": "Let it not be so."}, data, "rules/301.yaml")
