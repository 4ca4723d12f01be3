"""What is answered at a forge that a game has left: where it is played now, and that nothing here counts any more."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from folkmoot.forges.port import Answer, Issue, Pull
from folkmoot.referee.facts import young_of
from folkmoot.referee.markdown import said
from folkmoot.referee.outbox import Outbox

LONGEST = 400


def comment_on_move(sentence: str) -> str:
    """Return what stands at every open place of a game that has moved."""
    return f"### This game has moved\n\n{said(sentence, LONGEST)}. What was recorded before stands.\n"


def answer_moved(outbox: Outbox, sentence: str, places: Iterable[Pull | Issue]) -> None:
    """Close what is open of a game that has moved, and say where it is played now.

    What has arrived at a place is acknowledged, whatever it says.
    """
    for place in places:
        remarks = outbox.snapshot.remarks.get(place.number, ())
        settled = not young_of(remarks, outbox.horizon)
        if place.state == "open":
            answer = outbox.plain(place.number, comment_on_move(sentence))
            outbox.wanted.append(replace(answer, state="closed", settled=settled))
        else:
            outbox.wanted.append(replace(outbox.settled(place.number, place.state), settled=settled))


def answer_moved_thread(outbox: Outbox, sentences: Iterable[str]) -> None:
    """Say in the games' own thread where they are played now, where none is played here any more."""
    body = "\n".join(comment_on_move(sentence) for sentence in sentences)
    remarks = outbox.snapshot.remarks.get(0, ())
    young = young_of(remarks, outbox.horizon)
    made = outbox.plain(0, body)
    outbox.wanted.append(Answer(pull=0, text=made.text, settled=len(remarks) > young, young=young))
