"""A game without a keeper: players commit by letters and open by letters, and nobody could read it before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.game.session import Session
from folkmoot.player.hand import hand_of, keep_new_key, own_key_file, own_keys
from folkmoot.player.sealing import seal_arguments
from folkmoot.player.voting import act_line
from tests.support.quick import QuickMeeting
from tests.support.table import VOTING, rule

CANARY = "heartsease"
TYPED: dict[str, Any] = {
    "integer": {"type": "integer", "minimum": 1},
    "choice": {"type": "choice", "of": ["rock", "paper"]},
    "boolean": {"type": "boolean"},
    "list": {"type": "list"},
    "player": {"type": "player"},
    "time": {"type": "time"},
}
NOTES = rule(
    "1",
    """
    def do_write(a):
        put("game", "notes", get("game", "notes") | {a.by: a.args.note})
    """,
    defines={"game": {"notes": {"type": "map"}}},
    actions={
        "write": {"arguments": {"note": {"type": "any", "sealed": "author"}}},
    },
)
SORTS = rule(
    "3",
    "".join(f"def do_write_{each}(a):\n    announce('written')\n\n" for each in TYPED),
    actions={f"write_{each}": {"arguments": {"note": {**spec, "sealed": "author"}}} for each, spec in TYPED.items()},
)
LAW = {"title": "Notes", "zone": "UTC", "rules": [NOTES, VOTING, SORTS]}


class Alone(QuickMeeting):
    """A meeting in which nobody keeps a key."""

    def line(self, person: str, do: str, **args: Any) -> str:
        with Session.on(self.game()) as session:
            words = seal_arguments(session, person, do, args)
            return act_line(do, words, None, session.actions())

    def notes(self, person: str) -> Any:
        with Session.on(self.game()) as session:
            return hand_of(session, person, own_keys()).shown(session.document("things/game")["game"]["notes"])

    def every_byte(self) -> bytes:
        return b"".join(self.repo.get(oid).read_raw() for oid in self.repo)


@pytest.fixture
def meeting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Alone]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    found = Alone(tmp_path, law=LAW)
    yield found
    assert found.sound()


@pytest.mark.parametrize("note", [CANARY, {"a": [1, CANARY]}, 5, "5", [], None, False])
def test_whatever_is_sealed_is_opened_as_it_was(meeting: Alone, note: Any) -> None:
    keep_new_key()
    meeting.say("ann", 0, meeting.line("ann", "write", note=note))
    meeting.referee()
    assert CANARY.encode() not in meeting.every_byte()
    assert meeting.notes("ann") == {"ann": note}
    assert meeting.notes("bob") == {"ann": "sealed"}
    meeting.say("ann", 0, meeting.line("ann", "open_sealed"))
    meeting.referee()
    assert meeting.journal()[-1].get("code") is None, meeting.journal()[-1]
    assert meeting.notes("bob") == {"ann": note}


@pytest.mark.parametrize(
    ("kind", "note"),
    [
        ("integer", 3),
        ("choice", "rock"),
        ("boolean", True),
        ("list", [1]),
        ("player", "bob"),
        ("time", "2026-01-05T12:00:00Z"),
    ],
)
def test_each_type_is_sealed_by_a_comment_and_opened(meeting: Alone, kind: str, note: Any) -> None:
    keep_new_key()
    meeting.say("ann", 0, meeting.line("ann", f"write_{kind}", note=note))
    meeting.referee()
    meeting.say("ann", 0, meeting.line("ann", "open_sealed"))
    meeting.referee()
    entry = meeting.journal()[-1]
    assert (entry["do"], entry.get("code"), entry["with"]["value"]) == ("open_sealed", None, note), entry


@pytest.mark.threat("T-89")
def test_who_reads_the_letters_cannot_open_or_claim_what_is_in_them(meeting: Alone) -> None:
    keep_new_key()
    line = meeting.line("ann", "write", note=CANARY)
    meeting.say("bob", 0, line)
    meeting.say("ann", 0, line)
    meeting.referee()
    opening = meeting.line("ann", "open_sealed")
    meeting.say("bob", 0, opening)
    swapped = opening.replace("number=1", "number=2") if "number=1" in opening else opening.replace("=2", "=1", 1)
    meeting.say("bob", 0, swapped)
    meeting.referee()
    assert [entry["code"] for entry in meeting.journal()[-2:]] == ["E-NO-SUCH", "E-COMMITMENT"]
    assert meeting.notes("bob") == {"ann": "sealed", "bob": "sealed"}


def test_without_a_key_of_ones_own_nothing_is_sealed(meeting: Alone) -> None:
    with pytest.raises(ProblemError) as refused:
        meeting.line("ann", "write", note=CANARY)
    assert refused.value.problems[0].code == "E-SEALED"
    keep_new_key()
    meeting.say("ann", 0, meeting.line("ann", "write", note=CANARY))
    meeting.referee()
    own_key_file().unlink()
    with pytest.raises(ProblemError) as lost:
        meeting.line("ann", "open_sealed")
    assert lost.value.problems[0].code == "E-READER"


def test_nothing_is_opened_that_is_not_there(meeting: Alone) -> None:
    with pytest.raises(ProblemError) as refused:
        meeting.line("ann", "open_sealed")
    assert refused.value.problems[0].code == "E-NO-SUCH"
