"""Saying something in a game: what would come of it is said first, then it is sent, then what came of it is told."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, cast

import click
from msgspec import Struct, field
from msgspec.structs import asdict, replace

from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.game_status import SAID
from folkmoot.cli.options import moment_of
from folkmoot.cli.outcomes import here_at, plain, show_done, told
from folkmoot.cli.sending import next_step
from folkmoot.cli.terminal import Terminal, counted, without_escapes
from folkmoot.core.ballot_display import is_displayed, voted_on
from folkmoot.core.keys import GAME
from folkmoot.core.problems import ProblemError, fail
from folkmoot.core.proposal_numbers import called
from folkmoot.core.records import Effect, Entry
from folkmoot.core.values import in_a_row
from folkmoot.forges.local.letters import Letter
from folkmoot.game.epoch_secrets import forget_secret, with_secrets
from folkmoot.game.session import Done, Session
from folkmoot.kernel.act_declarations import SET_CLOCK
from folkmoot.kernel.arguments import argument_at_fault
from folkmoot.player.answers import AnswerShown, came_of, wait_until
from folkmoot.player.dry_run import opening, try_letters
from folkmoot.player.proposing import Proposal
from folkmoot.player.remote_view import ELSEWHERE, PullSeen, RemoteView
from folkmoot.referee.dry_run import KEPT, Foreseen, Foresight, GameCopy, UntriedError
from folkmoot.referee.preview import of_effects
from folkmoot.wording import sentences
from folkmoot.wording.page_links import Here

MOST_TOLD = 3  # effects of one act
Act = dict[str, Any]


class How(Struct, frozen=True, kw_only=True):
    """How something is sent: although it would be refused, not at all, with waiting for its answer (in seconds)."""

    anyway: bool = False
    dry_run: bool = False
    wait: bool = False
    timeout: float | None = None


class Keeping(Struct, frozen=True, kw_only=True):
    """A game that one person keeps: what is said there is recorded at once, at a time, and in a commit."""

    at: str | None = None
    commit: bool = True


class Statement(Struct, frozen=True, kw_only=True):
    """What somebody says at once: a commit that becomes a pull request or the content of one, and letters after it.

    Where one person keeps the game it is `acts`, each with who does it `by`.
    `made` goes to the pull request `pull`, or opens one under `title` and `body`, of which is said `what` it asks for.
    The `record` is what is known of it for programs; once it is sent, `sentences` say so, and `notes` what is to be
    minded. Who is `joining` may be one whom nobody knows yet.
    """

    letters: Sequence[Letter] = ()
    acts: Sequence[Act] = ()
    made: Proposal | None = None
    pull: PullSeen | None = None
    title: str = ""
    body: str = ""
    what: str = ""
    record: dict[str, Any] = field(default_factory=dict)
    sentences: Sequence[str] = ()
    notes: Sequence[str] = ()
    joining: bool = False

    def content(self, view: RemoteView) -> PullSeen | None:
        """Return the pull request with the content that it is to have, None where nothing is said by a commit."""
        if self.made is None:
            return None
        if self.pull is None:
            return opening(view, self.made, self.body)
        return replace(self.pull, head=self.made.commit, observed=False)


class Trial(Struct, frozen=True, kw_only=True):
    """What trying came to, and sending: whether it `sends`, and the exit code; `record` is all of it for programs.

    `pull` is the pull request that was opened, or pushed to; 0 where none was.
    """

    sends: bool
    code: Exit = Exit.OK
    pull: int = 0
    record: dict[str, Any] = field(default_factory=dict)


def say(
    terminal: Terminal, view: RemoteView | Keeping, sessions: Sequence[Session], statement: Statement, how: How
) -> Trial:
    """Try what somebody says in games, send it unless it would be refused, and tell what came of it, or comes.

    Where no game judges what is said there is no session. What cannot be tried here is sent: only the referee judges.
    In a game that one person keeps nothing is sent, but recorded.
    """
    trial = _tried(terminal, view, sessions, statement, how)
    done = {**statement.record, **trial.record}
    if not trial.sends:
        terminal.record(done)
        return trial
    if isinstance(view, Keeping):
        return replace(trial, code=_recorded(terminal, view, sessions[0], statement.acts))
    made, letters, web = statement.made, statement.letters, False
    if made is not None:
        from folkmoot.cli.pull_requests import open_pull, push_pull  # all forges come with it

        pull = statement.pull
        sent = push_pull(view, pull, made) if pull else open_pull(view, made, statement.title, statement.body)
        web, trial = bool(sent.branch), replace(trial, pull=sent.pull or 0)
        done |= {**sent.record, "head": made.commit}
        what = " counts from then on" if sent.address else f": {statement.what}" if statement.what else ""
        terminal.say(f"{sent.sentences}{what}.")
        letters = [] if web else [replace(letter, pull=trial.pull) for letter in letters]
    ids = [(letter, send(view, letter)) for letter in letters]
    awaited = [(letter.pull, each) for letter, each in ids if letter.kind != "describe"]
    if awaited:
        done["letters"] = [each for _, each in awaited]
    for sentence in statement.sentences:
        terminal.say(sentence)
    for note in statement.notes:
        terminal.note(note)
    games = [session.record.name for session in sessions]
    if not games or (web and not trial.pull):
        terminal.record(done)
        if made is not None or any(letter.kind != "comment" for letter in letters):  # mere talk is for people
            terminal.say(next_step(view))
        return trial
    answers = [(game, made.commit, trial.pull) for game in games] if made is not None else []
    answers += [(games[0], each, pull) for pull, each in awaited]
    return replace(trial, code=told_or_awaited(terminal, view, done, answers, how))


def send(view: RemoteView, letter: Letter) -> str:
    """Send a letter as the person; returns its id (hex), on a forge on the web the name of the comment that says it.

    Raises E-ARGS for one that nobody could read, E-STATUS where the person has to say it there themselves, and E-FORGE.
    """
    if view.web:
        if view.moved:
            raise fail("E-STATUS", view.moved, None, ELSEWHERE)
        from folkmoot.cli.pull_requests import post  # all forges come with it

        return post(view, letter)
    from folkmoot.player.voting import checked_letter  # and how all that can be sent is read

    return view.repository.send(checked_letter(view.bound(letter)), view.author)


# -- trying it first


def _tried(
    terminal: Terminal, view: RemoteView | Keeping, sessions: Sequence[Session], statement: Statement, how: How
) -> Trial:
    """Say what would become of what somebody is about to send, and whether it is sent."""
    kept = isinstance(view, Keeping)
    does, done = ("records", "recorded") if kept else ("sends", "sent")
    foreseen: list[dict[str, Any]] = []
    refused = False
    why: list[str] = [] if sessions else [""]
    for session in sessions:
        try:
            found = _foreseen(view, session, statement, how)
        except UntriedError as error:
            why.append(error.problems[0].message.rstrip("."))
            if not kept:
                said = without_escapes(why[-1])
                terminal.note(f"Not tried before sending: {said}. The referee will say what comes of it.")
            elif how.dry_run:
                raise
            continue
        here = here_at(session.record.name, found.documents)
        for answer in found.answers if how.dry_run or found.refused or not kept else ():  # else it is told once done
            _tell(terminal, session, here, answer)
        foreseen += [_record(session, here, answer) for answer in found.answers]
        if found.refused:
            refused = True
            if not isinstance(view, Keeping) and view.seen.moved(view.standing.watched):
                terminal.note("Things that were sent before are not judged yet; they may change that.")
    sends = not how.dry_run and (how.anyway or not refused)
    if refused and not sends:
        anyway = "" if how.dry_run else f" `--anyway` {does} it all the same."
        terminal.note(f"Nothing was {done}.{anyway}")
    elif not sends:
        terminal.say(f"Nothing was {done}.")
    tried = {"tried": False, "why": why[0]} if why else {"tried": True, "foreseen": foreseen}
    code = Exit.REFUSED if refused and not sends else Exit.OK
    return Trial(sends=sends, code=code, record={**tried, "sent": sends})


def _foreseen(view: RemoteView | Keeping, session: Session, statement: Statement, how: How) -> Foresight:
    """Return what would become of what somebody is about to say in a game. Raises UntriedError."""
    if isinstance(view, Keeping):
        return _foreseen_acts(view, session, statement.acts, how)
    return try_letters(view, session, statement.letters, statement.content(view), joining=statement.joining)


def _foreseen_acts(keeping: Keeping, session: Session, acts: Sequence[Act], how: How) -> Foresight:
    """Return what would become of acts in a game that is kept here; what is to be told or held back alone is tried.

    An act that is the next entry is asked for, and leaves the sandbox as it is; others are played on a copy.
    """
    if how.anyway and not how.dry_run:
        return Foresight((), session.documents)
    if any(act["do"] in KEPT for act in acts):
        raise UntriedError("this can only be done, not tried")
    copy, moment = GameCopy.of(session), max(session.at, moment_of(keeping.at, session.at))
    try:
        if len(acts) > 1 or how.dry_run or session.is_due(moment):
            entries = [_act(copy, act, keeping.at).entry for act in acts]
            session.close()
        else:
            (act,) = acts
            args, secret = with_secrets(session.record, session.kept(GAME), act["by"], act["do"], act["with"])
            judged = copy.would(act["by"], act["do"], args | secret, at=moment, as_=act.get("as"), drawing=True)
            session.sandbox.patient = True
            entries = [cast(Entry, {"do": act["do"], **asdict(judged)})]
    except ProblemError as error:
        if error.problems[0].code != "E-JUDGE":
            raise
        session.close()
        raise UntriedError(error.problems[0].message) from None
    here = here_at(session.record.name, copy.documents)
    return Foresight(tuple(_answer(here, entry) for entry in entries), copy.documents)


def _answer(here: Here, entry: Entry) -> Foreseen:
    """Return what would become of an act that an entry would record."""
    code = entry.get("code", "")
    why = next((plain(sentences.refusal(here, each)) for each in entry.get("reasons", ()) if each["code"] == code), "")
    refused = code not in ("", "HELD")
    return Foreseen(who="", what=entry["do"], state="refused" if refused else "recorded", code=code,
                    why=why if refused else "", entry=entry)  # fmt: skip


def _tell(terminal: Terminal, session: Session, here: Here, answer: Foreseen) -> None:
    """Say what would become of one thing."""
    if answer.state == "told":
        return
    if answer.aside or (answer.state == "void" and not answer.code):
        terminal.note(f"Mind: {without_escapes(answer.why.rstrip('.'))}.")
    elif answer.chance:
        decides = "This decides it. " if _decided(session, answer) else ""
        terminal.say(f"{decides}What comes of it is for the dice, which fall when the referee judges it.")
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
        decided = _decided(session, answer)
        if decided:
            terminal.say(f"This decides it: {decided}.")
        effects = [without_escapes(each).rstrip(".") for each in of_effects(here, _displayed(session, answer))]
        more = [f"and {counted(len(effects) - MOST_TOLD, 'more change')}"] if len(effects) > MOST_TOLD else []
        nothing = f"{answer.what.replace('_', ' ')} is recorded, and changes nothing else"
        terminal.say(f"As the game stands here: {'; '.join([*effects[:MOST_TOLD], *more]) or nothing}.")
    shown = answer.reasons if _displayed(session, answer) == list(answer.effects) else []
    for reason in (each for each in shown if each["code"] == "PARADOX"):
        terminal.note(f"Mind: {plain(sentences.refusal(here, reason)).rstrip('.')}.")


def _why(here: Here, answer: Foreseen) -> str:
    """Return why something would be refused, or waits, with the rule that says so."""
    reason = next((each for each in answer.reasons if each["code"] == answer.code), None)
    if reason is not None:
        return plain(sentences.refusal(here, reason)).rstrip(".")
    return without_escapes(answer.why or answer.what).rstrip(".")


def _decided(session: Session, answer: Foreseen) -> str:
    """Return what a vote would decide, as far as it is displayed: `proposal 301 is adopted`; "" where nothing.

    Where dice fall, too, nobody says as what it ends.
    """
    on = voted_on(answer.entry) if answer.entry else ""
    ends = [each for each in _displayed(session, answer) if each["effect"] == "resolve" and each.get("of") == on]
    end = "decided" if answer.chance else ends[0]["to"] if ends else ""
    return f"{called(session.proposal(on))} is {end}" if on and ends else ""


def _displayed(session: Session, answer: Foreseen) -> list[Effect]:
    """Return what an act would change as far as it is displayed: nothing says how others voted.

    Whoever votes last could read it off what comes of each choice.
    """
    effects, on = list(answer.effects), voted_on(answer.entry) if answer.entry else ""
    if not on or is_displayed(session.proposal(on)):
        return effects
    return [effect for effect in effects if effect["effect"] == "ballot" and effect.get("of") == on]


def _hint(session: Session, answer: Foreseen) -> str:
    """Return how one becomes a player, or learns what an act takes."""
    if answer.code == "E-NOT-PLAYER":
        who = f"the players are {in_a_row(session.players())}"
        return who if answer.entry else "`moot join` asks to become a player"
    takes = f"`moot act {answer.what} --help` shows what it takes"
    return takes if answer.entry and answer.code in ("E-ARGS", "E-NO-SUCH") else ""


def _record(session: Session, here: Here, answer: Foreseen) -> dict[str, Any]:
    """Return what would become of one thing for programs."""
    state = "chance" if answer.chance else "sealed" if answer.sealed else "held" if answer.held else answer.state
    hidden = answer.chance or answer.sealed or answer.refused
    why = next((str((each.get("args") or {}).get("why")) for each in answer.reasons if each["code"] == answer.code), "")
    declared = (session.actions().get(answer.what) or {}).get("arguments") or {}
    at_fault = argument_at_fault(declared, why or answer.why) if answer.code == "E-ARGS" else ""
    return {
        "what": answer.what, "state": state, "code": answer.code, "why": answer.why, "argument": at_fault,
        "effects": [] if hidden else of_effects(here, _displayed(session, answer)),
        "decides": "" if answer.sealed or answer.refused else _decided(session, answer),
    }  # fmt: skip


# -- recording it in a game that one person keeps


def _act(session: Session, act: Act, at: str | None) -> Done:
    """Have a session judge an act."""
    args, secret = with_secrets(session.record, session.kept(GAME), act["by"], act["do"], act["with"])
    moment = int(time.time()) if act["do"] == SET_CLOCK and at is None else moment_of(at, session.at)
    return session.act(act["by"], act["do"], args, as_=act.get("as"), at=moment, confided=secret)


def _recorded(terminal: Terminal, keeping: Keeping, session: Session, acts: Sequence[Act]) -> Exit:
    """Record acts one after another, up to the first that is refused, and say what came of each."""
    code, left = int(Exit.OK), list(acts)
    while left and code == Exit.OK:
        act = left.pop(0)
        done = _act(session, act, keeping.at)
        if done.accepted and act["do"] in ("close_epoch", "abandon_epoch"):
            forget_secret(session.record)
        code = show_done(terminal, session, done)
        if keeping.commit:  # what came of it is said first: a commit that fails undoes nothing
            session.record.commit(f"{act['by']}: {act['do']}", at=session.at)
    if left:
        terminal.note(f"Not done, because it comes after that: {', '.join(str(act['do']) for act in left)}.")
    return Exit(code)


# -- what came of it

STANDS = {"": "Accepted:", "HELD": "Waits, as a rule says:"}


def wait_for_answer(
    terminal: Terminal, view: RemoteView, game: str, letter: str, pull: int = 0, seconds: float | None = None
) -> tuple[list[AnswerShown], Exit]:
    """Wait until a referee has judged a letter (hex) to a pull request (0: the game), say what came of it, return it.

    The exit code is 0 where something was recorded and accepted or answered, 3 where all of it was refused or void, 6
    where nothing came in time.
    """
    terminal.note("Waiting until it is judged … (Ctrl-C stops waiting, and nothing else)")
    found = wait_until(view, lambda now: came_of(now, game, letter, pull) or None, seconds)
    if found is None:
        terminal.note("It was not judged in time. It is on its way all the same: `moot status` says what came of it.")
        return [], Exit.LATE
    told = [_judged(terminal, view, game, each) for each in found]
    return found, Exit.OK if any(told) else Exit.REFUSED


def told_or_awaited(
    terminal: Terminal, view: RemoteView, done: dict[str, Any], sent: Sequence[tuple[str, str, int]], how: How
) -> Exit:
    """Say what happens to what was sent, or wait for the answers; `done` is what was done, for programs.

    Of what was `sent` each is known by its game, its commit (hex) and its pull request (0: the game's thread).
    """
    if not how.wait:
        terminal.record(done)
        terminal.say(next_step(view))
        return Exit.OK
    came = [wait_for_answer(terminal, view, *each, how.timeout) for each in sent]
    terminal.record({**done, "came": [record for records, _ in came for record in records]})
    return next((code for _, code in came if code != Exit.OK), Exit.OK)


def _judged(terminal: Terminal, view: RemoteView, game: str, came: AnswerShown) -> bool:
    """Say what came of one thing; returns whether it was accepted, held or answered."""
    if came["state"] != "recorded":
        code = f" [{came['code']}]" if came.get("code") else ""
        why = f": {came['why']}" if came.get("why") else ""
        what = f" {came['what']}" if came.get("what") else ""
        terminal.say(f"{SAID.get(came['state'], came['state'].capitalize())}:{what}{why}{code}")
        return came["state"] in ("waiting", "told", "said")
    record = view.record(game)
    entry = record.entry(came["seq"])
    came["code"], came["do"] = entry.get("code", ""), entry["do"]
    accepted = entry.get("code", "HELD") == "HELD"
    terminal.say(STANDS.get(str(entry.get("code") or ""), "Refused:"))
    for line in told(here_at(game, record.load(), [entry]), entry):
        terminal.say(line)
    return accepted
