"""Saying something in a game: what would come of it is said first, then it is sent, then what came of it is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click
from msgspec import Struct, field
from msgspec.structs import replace

from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.outcomes import here_at
from folkmoot.cli.plain_words import plain
from folkmoot.cli.sending import next_step, send, warn_stranger
from folkmoot.cli.terminal import Terminal, counted, without_escapes
from folkmoot.cli.waiting import told_or_awaited
from folkmoot.core.ballot_display import is_displayed, voted_on
from folkmoot.core.records import Effect
from folkmoot.forges.local.messages import Letter
from folkmoot.game.session import Session
from folkmoot.player.argument_values import nearest
from folkmoot.player.dry_run import opening, try_letters, waits_for_others
from folkmoot.player.proposing import Proposal
from folkmoot.player.remote_view import PullSeen, RemoteView
from folkmoot.referee.dry_run import Foreseen, UntriedError
from folkmoot.referee.preview import of_effects
from folkmoot.wording import sentences
from folkmoot.wording.page_links import Here

MOST_TOLD = 3  # effects of one act


class How(Struct, frozen=True, kw_only=True):
    """How something is sent: although it would be refused, not at all, with waiting for its answer (in seconds)."""

    anyway: bool = False
    dry_run: bool = False
    wait: bool = False
    timeout: float | None = None


class Tried(Struct, frozen=True, kw_only=True):
    """What trying came to: whether it is to be sent, else the exit code; `record` is all of it for programs.

    It `opens` a vote if something of it does so, as far as that can be said here.
    """

    sends: bool
    code: Exit
    opens: bool = False
    record: dict[str, Any] = field(default_factory=dict)


def tried(
    terminal: Terminal,
    view: RemoteView,
    session: Session,
    letters: Sequence[Letter],
    opened: PullSeen | None,
    how: How,
    *,
    joining: bool = False,
) -> Tried:
    """Say what would become of what somebody is about to send, and whether it is sent.

    What cannot be tried here is sent: only the referee judges. Who is `joining` may be one whom nobody knows yet.
    """
    try:
        found = try_letters(view, session, letters, opened, joining=joining)
    except UntriedError as error:
        why = error.problems[0].message.rstrip(".")
        terminal.note(f"Not tried before sending: {without_escapes(why)}. The referee will say what comes of it.")
        return _decided(terminal, {"tried": False, "why": why}, refused=False, how=how)
    here = here_at(session.record.name, found.documents)
    for answer in found.answers:
        _tell(terminal, session, here, answer)
    if found.refused and waits_for_others(view):
        terminal.note("Things that were sent before are not judged yet; they may change that.")
    record = {"tried": True, "foreseen": [_record(session, here, answer) for answer in found.answers]}
    decided = _decided(terminal, record, refused=bool(found.refused), how=how)
    opens = any(effect["effect"] == "open" for answer in found.answers for effect in answer.effects)
    return replace(decided, opens=opens)


def say(
    terminal: Terminal,
    view: RemoteView,
    session: Session | None,
    letters: Sequence[Letter],
    how: How,
    *,
    record: dict[str, Any],
    sentences: Sequence[str],
    made: Proposal | None = None,
    what: str = "",
    joining: bool = False,
    after: Callable[[Tried], object] = lambda trial: None,
) -> int:
    """Try what somebody says on a game, send it unless it would be refused, and tell what came of it, or comes.

    A commit that is `made` becomes a pull request, which asks for `what`. Where no game judges what is said there is
    no session. The `record` is what is known of it for programs, the `sentences` say that it was sent; `after` them
    more is said.
    """
    opened = opening(view, made) if made is not None else None
    if session is None:
        trial = _decided(terminal, {"tried": False, "why": ""}, refused=False, how=how)
    else:
        trial = tried(terminal, view, session, letters, opened, how, joining=joining)
    done = {**record, **trial.record}
    if not trial.sends:
        terminal.record(done)
        return trial.code
    sent = None
    if made is not None:
        from folkmoot.cli.pull_requests import open_pull

        sent = open_pull(view, made)
        done |= {**sent.record, "head": made.commit}
        terminal.say(f"{sent.sentences} counts from then on." if sent.address else f"{sent.sentences}: {what}.")
    found = [send(view, letter) for letter in letters]
    if found:
        done["letter"] = found[-1]
    for sentence in sentences:
        terminal.say(sentence)
    after(trial)
    if session is None or (sent is not None and sent.address):
        terminal.record(done)
        if made is not None or any(letter.kind != "comment" for letter in letters):  # mere talk is for people
            terminal.say(next_step(view))
        return Exit.OK
    game = session.record.name
    if not (trial.record["tried"] or joining):
        warn_stranger(terminal, view, game)
    awaited = [(game, made.commit, sent.pull or 0)] if made is not None and sent is not None else []
    return told_or_awaited(terminal, view, done, [*awaited, *((game, each, letters[-1].pull) for each in found)], how)


def _decided(terminal: Terminal, record: dict[str, Any], *, refused: bool, how: How) -> Tried:
    sends = not how.dry_run and (how.anyway or not refused)
    if refused and not sends:
        terminal.note("Nothing was sent." + ("" if how.dry_run else " `--anyway` sends it all the same."))
    elif not sends:
        terminal.say("Nothing was sent.")
    return Tried(sends=sends, code=Exit.REFUSED if refused else Exit.OK, record={**record, "sent": sends})


def _tell(terminal: Terminal, session: Session, here: Here, answer: Foreseen) -> None:
    """Say what would become of one thing."""
    if answer.state == "told":
        return
    if answer.aside or (answer.state == "void" and not answer.code):
        terminal.note(f"Mind: {without_escapes(answer.why.rstrip('.'))}.")
    elif answer.chance:
        terminal.say("What comes of it is for the dice, which fall when the referee judges it.")
    elif answer.sealed:
        terminal.say("What comes of it depends on what is sealed, which is looked into when the referee judges it.")
    elif answer.refused:
        terminal.note(f"The referee would refuse it: {_why(here, answer)} {click.style(f'[{answer.code}]', fg='red')}")
        hint = _hint(session, answer)
        if hint:
            terminal.note(click.style(f"  hint: {hint}", dim=True))
    elif answer.held or answer.state == "waiting":
        terminal.say(f"It will wait: {_why(here, answer)}.")
    else:
        terminal.say(f"As the game stands here: {_came(session, here, answer)}.")
    shown = answer.reasons if _displayed(session, answer) == list(answer.effects) else []
    for reason in (each for each in shown if each["code"] == "PARADOX"):
        terminal.note(f"Mind: {plain(sentences.refusal(here, reason)).rstrip('.')}.")


def _why(here: Here, answer: Foreseen) -> str:
    """Return why something would be refused, or waits, with the rule that says so."""
    reason = next((each for each in answer.reasons if each["code"] == answer.code), None)
    if reason is not None:
        return plain(sentences.refusal(here, reason)).rstrip(".")
    return without_escapes(answer.why or answer.what).rstrip(".")


def _came(session: Session, here: Here, answer: Foreseen) -> str:
    """Return what an act would change, in a few sentences."""
    effects = of_effects(here, _displayed(session, answer))
    told = [without_escapes(sentence).rstrip(".") for sentence in effects[:MOST_TOLD]]
    more = [f"and {counted(len(effects) - MOST_TOLD, 'more change')}"] if len(effects) > MOST_TOLD else []
    return "; ".join([*told, *more]) or f"{answer.what.replace('_', ' ')} is recorded, and changes nothing else"


def _displayed(session: Session, answer: Foreseen) -> list[Effect]:
    """Return what an act would change as far as it is displayed: nothing says how others voted.

    Whoever votes last could read it off what comes of each choice.
    """
    effects, on = list(answer.effects), voted_on(answer.entry) if answer.entry else ""
    if not on or is_displayed(session.proposal(on)):
        return effects
    return [effect for effect in effects if effect["effect"] == "ballot" and effect.get("of") == on]


def _hint(session: Session, answer: Foreseen) -> str:
    """Return what may have been meant where a name in an act is unknown, and how one learns what it takes."""
    if answer.code == "E-NOT-PLAYER" and answer.entry is None:
        return "`moot join` asks to become a player"
    if answer.entry is None or answer.code not in ("E-ARGS", "E-NO-SUCH"):
        return ""
    declared = (session.actions().get(answer.what) or {}).get("arguments") or {}
    near = nearest(declared, answer.entry.get("with") or {}, session.documents)
    return near or f"`moot act {answer.what} --help` shows what it takes"


def _record(session: Session, here: Here, answer: Foreseen) -> dict[str, Any]:
    """Return what would become of one thing for programs."""
    state = "chance" if answer.chance else "sealed" if answer.sealed else "held" if answer.held else answer.state
    effects = [] if answer.chance or answer.sealed or answer.refused else of_effects(here, _displayed(session, answer))
    return {"what": answer.what, "state": state, "code": answer.code, "why": answer.why, "effects": effects}
