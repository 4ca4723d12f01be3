"""How a game stands, for the person at a clone or for who keeps it: now, later, and for administrators."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

import click

from folkmoot.cli.clones import SECONDS, last_look, looked_at
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.terminal import Terminal, counted, stamped
from folkmoot.core.calendar import seconds_of, write_moment
from folkmoot.core.keys import GAME, TIMERS
from folkmoot.core.problems import Problem
from folkmoot.core.proposal_numbers import called
from folkmoot.core.records import Shown
from folkmoot.game.status import asleep_told, status_of
from folkmoot.journal.machine_clock import clock_warning
from folkmoot.kernel.act_declarations import KERNEL_DECLARATIONS
from folkmoot.player import present_time
from folkmoot.wording.law_sentence import quotation

if TYPE_CHECKING:
    from folkmoot.game.session import Session
    from folkmoot.player.remote_view import RemoteView

SEALS = "This game seals things, such as what only one may see: `moot key --keeper` makes the key for that."
MOST_BY_HAND = 5  # problems that are shown
MOST_TIMERS = 10
MOST_SHOWN = 20  # of what became of what was sent


def run_status(
    terminal: Terminal, awaited: bool, timeout: float | None, offline: bool, game: str | None, remote: str | None
) -> int:
    """Show how a game stands, or wait until something is asked of the person or what they sent is answered."""
    if awaited and offline:
        raise click.UsageError("--wait is for what comes from now on: leave out --offline.")
    if awaited:
        return wait_for_news(terminal, game, remote, timeout)
    if timeout is not None:
        raise click.UsageError("--timeout goes with --wait.")
    with looked_at(terminal, game, remote, offline=offline) as (view, session):
        status = status_of(session) if view is None else _of_person(terminal, view, session)
        now = present_time.present()
        clock = clock_warning(session.record.name, session.at, now, met=bool(session.kept(GAME).get("forge")))
        status |= {"clock": clock, "clock_ahead": session.at - now if clock else 0}
    by_hand: list[Problem] = status.get("changed_by_hand", [])
    tampered = {"changed_by_hand": [problem.as_record() for problem in by_hand]} if view is not None else {}
    terminal.record(stamped({**status, **tampered}))
    if terminal.json:
        return Exit.OK
    if by_hand:
        terminal.problems(by_hand[:MOST_BY_HAND])
        terminal.note(
            f"Somebody changed {status['game']} by hand: what follows is not what its rules came to. Nothing is judged "
            "until an administrator puts that right: `moot verify --repair`."
        )
    if view is not None:
        show_seat(terminal, status)
    _tell(terminal, status)
    return Exit.OK


def _of_person(terminal: Terminal, view: RemoteView, session: Session) -> Shown:
    """Return how the game stands for the person at the clone, and how much others said that they did not see."""
    from folkmoot.player.answers import changed_by_hand, news
    from folkmoot.player.person_status import person_status

    name, status = session.record.name, person_status(view, session)
    return {
        **status,
        "new_comments": len(news(view, session, last_look(terminal, name))),
        "overdue": _overdue(view, session, status),
        "place": view.place,
        "note": view.note,
        "changed_by_hand": changed_by_hand(view, name),
    }


def _overdue(view: RemoteView, session: Session, status: Shown) -> Shown | None:
    """Return what is due without a referee's having run since, and what brings it; None where nothing is.

    Timers that repeat do not count: of those that leave no trace nothing is recorded, and they stay due.
    """
    if status["over"] or status["paused"] is not None:
        return None
    now, kept = present_time.present(), session.kept(TIMERS)
    once = [timer for timer in status["timers"] if not {"period", "spec"} & kept[timer["key"]].keys()]
    due = [timer for timer in once if timer["due"] < now]
    if not due:
        return None
    first, brings = due[0], "`moot comment` with a word or two" if view.wakes else "`moot referee`"
    comes = "the referee next runs" if view.web else f"a referee runs, which {brings} brings about"
    return {"since": first["due"], "timer": first["key"], "by": first["by"], "summary": first["summary"],
            "more": len(due) - 1, "next": f"It comes when {comes}"}  # fmt: skip


def _tell(terminal: Terminal, status: Shown) -> None:
    """Print how a game stands, with the actions of the person at the clone, or of everybody."""
    _head(terminal, status)
    if status["clock"]:
        terminal.note(status["clock"])
    if not status["over"]:
        _votes(terminal, status["open"])
        owed = ((d["player"], quotation(d["what"]), d["by"]) for d in status["duties"])
        duties = [[player, what, write_moment(by) if by else ""] for player, what, by in owed]
        _table(terminal, ["Who", "owes", "by"], duties)
    names, players = status["currencies"], status["players"]
    rows = [[who["id"], *(who.get(name, "") for name in names), ", ".join(who["offices"])] for who in players if names]
    _table(terminal, ["Player", *names, "offices"], rows)
    if status["over"]:
        terminal.say()
        terminal.wrapped("`moot show` says what there is to see, `moot log` how it went.")
    else:
        _later(terminal, status)
        terminal.say()
        # but for what nobody needs day by day
        of_engine = {*KERNEL_DECLARATIONS} - ({"vote"} if (status.get("you") or {}).get("player") else {"vote", "join"})
        listed = ", ".join(name for name in status["actions"] if name not in of_engine)
        terminal.wrapped(f"Actions: {listed}" if listed else "No rule offers an action.")
        more = "`moot act --list` says what each does and what else there is, `moot show` what there is to see."
        terminal.wrapped(more)
    _for_administrators(terminal, status)


def _later(terminal: Terminal, status: Shown) -> None:
    """Print what comes by itself, and what waits."""
    if not (status["timers"] or status["held"]):
        return
    terminal.say()
    terminal.heading("Later")
    coming = list(dict.fromkeys(f"{write_moment(timer['due'])}  {_timer(timer)}" for timer in status["timers"]))
    for told in coming[:MOST_TIMERS]:
        terminal.wrapped(told, 2, 22)
    if len(coming) > MOST_TIMERS:
        terminal.say(f"  … and {len(coming) - MOST_TIMERS} more: `moot status --json`")
    held = [[str(act["id"]), act["by"] or "", act["do"], act["label"]] for act in status["held"]]
    _table(terminal, ["Entry", "Who", "sent", "which waits for"], held)


def _for_administrators(terminal: Terminal, status: Shown) -> None:
    """Print what those who keep the game may want to look at."""
    odd = status.get("odd_refs") or []
    size = status["size"]
    if not (odd or size["warning"] or status["keeper_missing"]):
        return
    terminal.say()
    terminal.heading("For administrators")
    if size["warning"]:
        why = f"The game takes {size['bytes']:,} of the {size['limit']:,} bytes that it may"
        terminal.note(
            f"{why}. Next: let something go, or raise the limit: `moot act set_limit name=game_size value=…`."
        )
    if status["keeper_missing"]:
        terminal.wrapped(SEALS)
    for ref in odd:
        terminal.say(f"{ref['ref']} is nothing: {ref['why']}. Whoever may, takes it away: `{ref['removes']}`.")


def _head(terminal: Terminal, status: Shown) -> None:
    known = f" ({status['game']})" if status["title"].lower() != status["game"] else ""
    terminal.heading(f"{status['title']}{known}, entry {status['seq']} of {write_moment(status['at'])}")
    claim = status["succession"]
    if claim:
        asked = f"{claim['by']} asks to become an administrator, and can from {write_moment(claim['due'])} on"
        terminal.say(f"{asked}, unless an administrator acts until then. To object: `moot act oppose_succession`.")
    _won(terminal, status)
    if status["over"]:
        return
    if status["paused"] is not None:
        terminal.say(f"Paused since {write_moment(status['paused'])}; timers stand still.")
    else:
        turn = f"It is {status['mover']}'s turn."
        if status["mover"] and turn not in status["headline"]:
            terminal.say(turn)
        if status["headline"]:
            terminal.wrapped(f"The law says: {quotation(status['headline'])}")
    if overdue := status.get("overdue"):
        more = f", and {counted(overdue['more'], 'more timer')}" if overdue["more"] else ""
        since = f"Due since {write_moment(overdue['since'])}: {_timer(overdue)}{more}."
        terminal.wrapped(f"{since} {overdue['next']}; all here is as it was before.")
    for rule in status["asleep"]:
        terminal.wrapped(asleep_told(rule))


def _timer(timer: Shown) -> str:
    """Return what comes with a timer, and by which rule."""
    return f"{'rule ' if timer['by'] else 'the law'}{timer['by']}: {quotation(timer['summary'])}"


def _why(win: Shown) -> str:
    """Return why somebody won, behind the sentence that says so."""
    return f": {quotation(str(win['why']).rstrip('.'))}" if win["why"] else ""


def _won(terminal: Terminal, status: Shown) -> None:
    """Print who has won, by which rule, and what comes next."""
    if status["over"]:
        terminal.wrapped(f"The game is over: {', '.join(status['over']['winner'])} won{_why(status['over'])}.")
        terminal.wrapped("Nothing more is taken in. `moot show season` tells how it went.")
        terminal.wrapped(f"Next: `{status['next']}` begins the next season, with these rules and players.")
    elif status["won"]:
        last = status["won"][-1]
        rounds = f" ({len(status['won'])} wins so far)" if len(status["won"]) > 1 else ""
        terminal.wrapped(f"{', '.join(last['winner'])} won at {write_moment(last['at'])}{rounds}{_why(last)}")
        terminal.say("Play goes on by the same rules; what somebody owes stands below.")


def _votes(terminal: Terminal, proposals: list[Shown]) -> None:
    for proposal in proposals:
        until = f" until {write_moment(proposal['until'])}" if proposal["until"] else ""
        terminal.say()
        terminal.wrapped(f"{called(proposal).capitalize()}: {proposal['title'] or 'untitled'} ({proposal['author']})")
        terminal.say(f"  {proposal['state']}{until}; read it: `moot explain {called(proposal)}`")
        if proposal["decider"]:
            terminal.say(f"  awaits the decision of {proposal['decider']['player']} ({proposal['decider']['as']})")
        if proposal["standing"]:
            terminal.wrapped(proposal["standing"], 2)
        if proposal["state"] == "open":
            terminal.wrapped(f"voted: {', '.join(proposal['voted']) or 'nobody'}", 2)
            terminal.wrapped(f"not yet: {', '.join(proposal['missing']) or 'nobody'}", 2)


def _table(terminal: Terminal, columns: list[str], rows: list[list[object]]) -> None:
    if rows:
        terminal.say()
        terminal.table(columns, rows)


# -- until something is asked of the person, or what they sent is answered


def wait_for_news(terminal: Terminal, game: str | None, remote: str | None, timeout: float | None) -> int:
    """Wait until the person owes something, all that they sent is answered, or the game is over, and say what came."""
    from folkmoot.cli.sending import played_game, remote_view_of
    from folkmoot.player.answers import wait_until
    from folkmoot.player.person_status import person_status

    view = remote_view_of(terminal, remote, SECONDS)
    name = played_game(view.look(), game)
    sent: list[bool] = []  # at each look, whether anything was still to be judged

    def found(view: RemoteView) -> tuple[str, Shown] | None:
        with view.session(name) as session:
            status = person_status(view, session)
        new = any(pull["own"] and pull["state"] == "new" for pull in status["pulls"])
        sent.append(new or bool(status["waiting"]))
        came = "over" if status["over"] else "duty" if status["owed"] else ""
        came = came or ("answer" if sent[0] and not sent[-1] else "")
        return (came, status) if came else None

    seen = wait_until(view, found, timeout)
    if seen is None:
        terminal.record({"game": name, "came": None})
        terminal.note("Nothing came in time.")
        return Exit.LATE
    came, status = seen
    shown = {key: status[key] for key in ("owed", "over", "refused", "answers", "decided")}
    terminal.record(stamped({"game": name, "came": came, **shown}))
    if came == "over":
        terminal.say(f"The game is over: {', '.join(status['over']['winner'])} won{_why(status['over'])}.")
    elif came == "duty":
        show_owed(terminal, status)
    else:
        terminal.say("All that you sent is answered.")
        show_sent(terminal, status)
    return Exit.OK


# -- what concerns the person at the terminal in a game that is played by pull requests

STATES = {"new": "not looked at yet", "seen": "not taken in", "pending": "not open yet", "open": "open to votes"}


def show_seat(terminal: Terminal, status: Shown) -> None:
    """Print who the person is, what they owe now, which pull requests are open, and what became of what they sent."""
    you = status["you"]
    if you["player"]:
        address = f" ({you['email']})" if you["email"] else ""
        terminal.heading(f"You are {you['player']}{address}.")
    elif not you["email"] and not you["unknown"]:
        terminal.heading("git does not know who you are, so nothing here is said of you.")
        terminal.say("`git config user.name NAME` and `git config user.email ADDRESS` tell it.")
    elif you["forge"] != "local":
        _show_unknown(terminal, you)
    else:
        terminal.heading(f"You are {you['email']}, who is no player here; `moot join` asks to become one.")
    show_owed(terminal, status)
    if you["keyless"]:
        terminal.say("This game seals things to you. Make a key for them, and name it: `moot key --sealing` says how.")
    elif you["holds_sealed"]:
        terminal.say("Something is sealed to you: `moot show hand` shows it.")
    if status["new_comments"]:
        terminal.say(f"{counted(status['new_comments'], 'new comment')} by others: `moot log --new`.")
    show_sent(terminal, status)
    _pulls(terminal, status["pulls"])
    if status["behind"]:
        number = status["behind"]
        own = f" and has {counted(status['ahead'], 'commit')} of its own" if status["ahead"] else ""
        way = "`git pull --rebase`" if own else "`git pull`"
        terminal.say(f"\nYour branch {status['branch']} is {counted(number, 'commit')} behind{own}: {way}.")
    terminal.say()


def _show_unknown(terminal: Terminal, you: Shown) -> None:
    """Print how somebody whom git does not tell says which player of a forge they are."""
    from folkmoot.player.dry_run import FORGES
    from folkmoot.player.remote_view import SETTING

    place = FORGES[you["forge"]]
    if you["unknown"]:
        terminal.heading(f"git says that you are {you['unknown']}, whom the game does not know on {place}.")
    else:
        terminal.heading(f"Players are known by their accounts on {place}, of which git knows nothing.")
    terminal.say(f"If you play, `git config {SETTING} PLAYER` says who you are; `moot join` asks to become a player.")


def show_owed(terminal: Terminal, status: Shown) -> None:
    """Print what the person owes, each with the command that does it."""
    if not status["you"]["player"]:
        return
    terminal.say("You owe:" if status["owed"] else "You owe nothing.")
    for owed in status["owed"]:
        by = f", by {write_moment(owed['by'])}" if owed["by"] else ""
        terminal.wrapped(f"{quotation(owed['what']) if owed['rule'] else owed['what']}{by}", 2)
        commands = owed["choices"][:1] == [owed["command"]]
        typed = owed["choices"][1:] if commands else map(shlex.quote, owed["choices"][1:])
        others = f"   (or {', '.join(typed)})" if len(owed["choices"]) > 1 else ""
        if owed["command"]:
            terminal.say(f"      {owed['command']}{others}", whole=True)


def _pulls(terminal: Terminal, pulls: list[Shown]) -> None:
    rows: list[list[object]] = []
    for pull in pulls:
        state = "not decided yet" if pull["decider"] else STATES.get(pull["state"], pull["state"])
        stands = f"{pull['called']}, {state}" if pull["called"] else state
        rows.append([pull["number"], pull["title"], pull["author"], stands, pull["choice"] or ""])
    _table(terminal, ["Pull", "Title", "By", "Stands", "Your vote"], rows)
    for number in (pull["number"] for pull in pulls if pull["newer"]):
        terminal.say(f"Pull request {number} has newer content than what is voted on: `moot show {number}`.")
    for pull in (pull for pull in pulls if pull["own"]):
        for why in pull["why"][:3]:
            terminal.say(f"Pull request {pull['number']} was not taken in: {why}")
        if pull["flaws"]:
            terminal.say(f"Pull request {pull['number']}: {flawed(pull['flaws'])}")


def flawed(flaws: list[str]) -> str:
    """Return what is wrong with scripts and examples of a pull request as a sentence."""
    more = f" (and {len(flaws) - 1} more)" if len(flaws) > 1 else ""
    return f"Its script or examples are faulty: {flaws[0]}{more}"


# -- what became of what somebody sent

SAID = {"void": "No effect", "refused": "Refused", "waiting": "Waits", "told": "Answered", "ignored": "Ignored"}
WAITS = {False: "Sent, and not looked at yet", True: "Waits: a referee has seen it and not judged it yet"}
PLACES = {"pull": "pull request", "issue": "issue", "thread": "the game's thread"}
LAST = sys.maxsize  # in the place of an entry: what has none comes after those of its moment


def show_sent(terminal: Terminal, status: Shown) -> None:
    """Print what became of what somebody sent, the newest first."""
    lines = []
    for each in reversed(status["waiting"]):
        where = f" (pull request {each['pull']})" if each["pull"] else ""
        lines.append(f"{WAITS[bool(each.get('seen'))]}: {each['says']}{where}")
    for ballot in (each for each in status["ballots"] if each["state"] != "counts"):
        why = f": {quotation(ballot['why'])}" if ballot["why"] else ""
        lines.append(f"Your vote ({ballot['choice']}) on {ballot['on']} {ballot['state']}{why}")
    found = [(each["at"], each.get("seq") or LAST, answer_told(each)) for each in status["answers"]]
    found += [(each["at"], each["entry"], _decided(each)) for each in status["decided"]]
    for act in status["refused"]:
        said = f"Refused: {act['act']}: {act['why']} [{act['code']}] (entry {act['entry']})"
        found.append((seconds_of(act["at"]) or 0, act["entry"], said))
    lines += [said for _at, _entry, said in sorted(found)[-MOST_SHOWN:][::-1]]
    if len(found) > MOST_SHOWN:
        lines.append(f"… and {len(found) - MOST_SHOWN} older ones: `moot log --mine`")
    if lines:
        terminal.say()
    for line in lines:
        terminal.say(line)


def _decided(proposal: Shown) -> str:
    """Return what became of one of the person's own proposals."""
    why = f", {quotation(proposal['why'].rstrip('.'))}" if proposal["why"] else ""
    why += f"; but {proposal['omission'].rstrip('.')}" if proposal["omission"] else ""
    return f"Your {proposal['called']}, “{proposal['title']}”: {proposal['outcome']}{why} (entry {proposal['entry']})"


def answer_told(answer: Shown) -> str:
    """Return what a referee said of something that was sent, and where all of it stands."""
    code = f" [{answer['code']}]" if answer.get("code") else ""
    why = f": {answer['why']}" if answer.get("why") else ""
    kind, _, number = str(answer["place"]).partition(" ")
    place = f"{PLACES.get(kind, kind)} {number}".rstrip()
    below = "".join(f"\n    {line}" for line in answer.get("lines", ()))
    return f"{SAID[answer['state']]}: {answer['what']}{why}{code} ({place}, {write_moment(answer['at'])}){below}"
