"""The one comment in the games' own thread: what became of what arrived there, and who is awaited."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from folkmoot.core.problems import Problem
from folkmoot.forges.port import Answer, Call, Remark
from folkmoot.referee.answers_without_game import strays_in, which_game
from folkmoot.referee.awaited_people import ARRIVED, comment_on_waiting
from folkmoot.referee.comment import HEADS, MOST_LISTED, comment, grouped, told_lines
from folkmoot.referee.comment_mark import CommentHeader, mark_of
from folkmoot.referee.comment_model import CommentModel
from folkmoot.referee.facts import young_of
from folkmoot.referee.outbox import Outbox
from folkmoot.referee.report import Verdict, heard_of

GOES_ON = "What is said here meanwhile is kept, and judged when this is put right."
EARLIER = "#### Answered before"
MOST_ANSWERED = 200  # in a run, because nothing else tells them


def answer_thread(
    outbox: Outbox,
    astray: Iterable[Remark],
    games: Sequence[str],
    stopped: Mapping[str, Sequence[Problem]],
    *,
    settled: bool,
) -> None:
    """Answer in the games' own thread: what arrived there, and where people are called, who is awaited.

    What is `astray` no game takes. Of the games that are `stopped` it says why nothing happens. `settled` says that
    every game has taken its: all that arrived up to the horizon.
    """
    strays = strays_in(outbox, astray, which_game(games))
    heard = tuple(each for game in outbox.games for each in heard_of(game.name, "thread", game.thread))
    heard += heard_of("", "thread", strays)
    said = [*(verdict for game in outbox.games for verdict in game.thread), *strays]
    before = outbox.before(0)
    remarks = outbox.snapshot.remarks.get(0, ())
    young = young_of(remarks, outbox.horizon)
    arrived = len(remarks) > young
    text = before.body[before.body.index(ARRIVED) :] if ARRIVED in before.body else ""
    text = comment_on_game(said, text) if said else text
    still = comment_on_stillness(stopped) or ("The game goes on.\n\n" if GOES_ON in before.body else "")
    if not outbox.caller.notifies:
        if arrived or said or still:
            answer = Answer(
                pull=0,
                text=(still + text) or before.body,
                settled=settled,
                young=young,
                heard=heard,
            )
            outbox.wanted.append(answer)
        return
    waiting = [game.awaited for game in outbox.games if game.awaited is not None]
    calls: list[Call] = []
    keys: list[str] = []
    for game in waiting:
        made, kept, _ = outbox.caller.call(game.occasions, before.keys, game.roster, quiet=game.quiet)
        calls += made
        keys += kept
    body = still + comment_on_waiting(waiting) + text
    if body or arrived:
        header = CommentHeader(mark_of(body), tuple(dict.fromkeys(keys)), body)
        settled = settled and arrived
        outbox.wanted.append(
            Answer(pull=0, text=str(header), settled=settled, young=young, calls=tuple(calls), heard=heard)
        )


def comment_on_stillness(stopped: Mapping[str, Sequence[Problem]]) -> str:
    """Return of each game that stands still why, as Markdown, "" where none does."""
    parts = []
    for game, problems in stopped.items():
        model = CommentModel(game=game, pull=0, title="", author="", stopped=tuple(problems))
        parts.append(comment(model))
    return "\n".join([*parts, f"{GOES_ON}\n\n"]) if parts else ""


def comment_on_game(verdicts: Iterable[Verdict], before: str = "") -> str:
    """Return the answer in a game's own thread: what became of what arrived there.

    Of what was answered `before` (the answer that stands there) the newest lines are kept: who asked then may not have
    read it yet.
    """
    found = list(verdicts)
    lines = grouped(found, ("recorded", "waiting", "void", "refused"), MOST_ANSWERED)
    asked = told_lines(found)
    new = _answered(lines)
    earlier = [line for line in _answered(before.splitlines()) if line not in new][:MOST_LISTED]
    kept = ["", EARLIER, "", *earlier] if earlier else []
    return "\n".join([ARRIVED.rstrip(), *lines, *kept, *(["", *asked] if asked else [])]) + "\n"


def _answered(lines: Iterable[str]) -> list[str]:
    """Return each answer among the lines of a game's thread, with the head of its group before it.

    What stands below them, rules that were asked for, may hold anything, and is not read.
    """
    heads = {f"{head}:": head for head in HEADS.values()} | {EARLIER: "", ARRIVED.rstrip(): ""}
    head = ""
    found: list[str] = []
    for line in filter(None, lines):
        if not line.startswith("- "):
            if line not in heads:
                break
            head = heads[line]
        elif not line.startswith("- … and "):
            found.append(f"- {head}: {line[2:]}" if head else line)
    return found
