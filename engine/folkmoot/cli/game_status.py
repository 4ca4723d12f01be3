"""How a game stands, for the person at a clone or for who keeps it: now, later, and for administrators."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from folkmoot.cli.clones import looked_at
from folkmoot.cli.last_look import last_look
from folkmoot.cli.person_status import show_odd, show_owed_later, show_refused_of_others, show_seat, show_sent
from folkmoot.cli.terminal import Terminal, counted, stamped
from folkmoot.cli.waiting import wait_for_news
from folkmoot.core.calendar import write_moment
from folkmoot.core.keys import GAME, TIMERS
from folkmoot.core.problems import Problem
from folkmoot.core.proposal_numbers import called
from folkmoot.game.status import asleep_told, status_of
from folkmoot.journal.machine_clock import clock_warning
from folkmoot.kernel.act_declarations import ADMINISTRATIVE
from folkmoot.wording.law_sentence import quotation

if TYPE_CHECKING:
    from folkmoot.game.session import Session
    from folkmoot.player.remote_view import RemoteView

Record = dict[str, Any]
MOST_BY_HAND = 5  # problems that are shown
MOST_TIMERS = 10
MOST_ACTIONS = 40  # that are named
MOST_ASLEEP = 10  # rules that are told one by one
FOR_STRANGERS = frozenset({"join", "withdraw_application"})


def run_status(
    terminal: Terminal,
    game: str | None,
    remote: str | None,
    player: str | None,
    offline: bool,
    all_: bool,
    awaited: str | None,
    timeout: float | None,
    notify: str | None,
) -> int:
    """Show how a game stands, or wait for what is `awaited`."""
    if awaited is None:
        if timeout is not None or notify is not None:
            raise click.UsageError("--timeout and --notify go with --wait.")
        show_status(terminal, game, remote, player, offline=offline, all_=all_)
        return 0
    if player is not None or offline or all_:
        raise click.UsageError("--wait is for what concerns you, from now on: leave out --by, --offline and --all.")
    return wait_for_news(terminal, game, remote, awaited, timeout, notify)


def show_status(
    terminal: Terminal, game: str | None, remote: str | None, player: str | None, *, offline: bool, all_: bool
) -> None:
    """Print how a game stands; with a player only what they owe and may vote on, and what came of what they sent."""
    with looked_at(terminal, game, remote, offline=offline) as (view, session):
        if view is None:
            status = {**status_of(session, player), **_clock(session)}
            terminal.record(stamped(status))
            _tell(terminal, status, player)
            return
        from folkmoot.player.answers import changed_by_hand

        name, note = session.record.name, view.note
        status = _of_person(terminal, view, session) if player is None else _of_player(view, session, player)
        status = {**status, "overdue": _overdue(terminal, view, session, status), **_clock(session)}
        by_hand = changed_by_hand(view, name)
    tampered = [problem.as_record() for problem in by_hand]
    terminal.record(stamped({**status, "place": view.place, "note": note, "changed_by_hand": tampered}))
    if terminal.json:
        return
    _tell_by_hand(terminal, name, by_hand)
    if player is None:
        show_seat(terminal, status, all_=all_)
    else:
        terminal.heading(f"How it stands for {player}.")
        show_sent(terminal, status, all_=all_)
        terminal.say()
    _tell(terminal, status, player)


def _clock(session: Session) -> Record:
    """Return by how much the game's time lies ahead of this machine's, and what is to be done about that."""
    from folkmoot.player import present_time

    now = present_time.present()
    warning = clock_warning(session.record.name, session.at, now, met=bool(session.kept(GAME).get("forge")))
    return {"clock": warning, "clock_ahead": session.at - now if warning else 0}


def _of_person(terminal: Terminal, view: RemoteView, session: Session) -> Record:
    """Return how the game stands for the person at the clone, and how much others said that they did not see."""
    from folkmoot.player.person_status import person_status
    from folkmoot.player.talk import news

    unseen = news(view, session, last_look(terminal, session.record.name))
    return {**person_status(view, session), "new_comments": len(unseen)}


def _overdue(terminal: Terminal, view: RemoteView, session: Session, status: Record) -> Record | None:
    """Return what is due without a referee's having run since, and what brings it; None where nothing is.

    Timers that repeat do not count: of those that leave no trace nothing is recorded, and they stay due.
    """
    from folkmoot.player import present_time

    if status["over"] or status["paused"] is not None:
        return None
    now, kept = present_time.present(), session.kept(TIMERS)
    once = [timer for timer in status["timers"] if not {"period", "spec"} & kept[timer["key"]].keys()]
    due = [timer for timer in once if timer["due"] < now]
    if not due:
        return None
    first = min(due, key=lambda timer: timer["due"])
    told = {"since": first["due"], "timer": first["key"], "summary": first["summary"], "more": len(due) - 1}
    if view.web:
        return {**told, "next": "It comes when the referee next runs"}
    brings = "`moot comment` with a word or two" if view.wakes else "`moot referee`"
    return {**told, "next": f"It comes when a referee runs, which {brings} brings about"}


def _of_player(view: RemoteView, session: Session, player: str) -> Record:
    from folkmoot.player.answers import sent_by

    return {**status_of(session, player), **sent_by(view, session, player)}


def _tell_by_hand(terminal: Terminal, game: str, problems: list[Problem]) -> None:
    """Say that what is shown is not what the rules of the game came to."""
    if problems:
        terminal.problems(problems[:MOST_BY_HAND])
        terminal.note(
            f"Somebody changed {game} by hand: what follows is not what its rules came to. Nothing is judged until an "
            "administrator puts that right: `moot verify --repair`."
        )


def _tell(terminal: Terminal, status: Record, player: str | None) -> None:
    """Print how a game stands, with the actions of whom it is shown for: a player, or the person at the clone."""
    who = player or (status.get("you") or {}).get("player")
    _head(terminal, status)
    if status["clock"]:
        terminal.note(status["clock"])
    if not status["over"]:
        _votes(terminal, status["open"])
        _duties(terminal, status["duties"])
    _standing(terminal, status)
    if not status["over"]:
        _later(terminal, status)
    keeps = who in status["administrators"] if who or "you" in status else True
    terminal.say()
    _actions(terminal, status, who)
    if not keeps:
        show_refused_of_others(terminal, status)
    _for_administrators(terminal, status, keeps=keeps)


def _actions(terminal: Terminal, status: Record, who: str | None) -> None:
    """Print what may be done, by name where that is no long list, and where more of it stands."""
    if status["over"]:
        terminal.wrapped("`moot show` says what there is to see, `moot log` how it went.")
        return
    own = [name for name in status["actions"] if name not in ADMINISTRATIVE and not _idle(name, status, who)]
    listed = ", ".join(own) if len(own) <= MOST_ACTIONS else f"there are {len(own)}"
    terminal.wrapped(f"Actions: {listed}" if own else "No rule offers an action.")
    terminal.wrapped("`moot act --list` says what each does, `moot show` what there is to see.")


def _idle(name: str, status: Record, who: str | None) -> bool:
    """Say whether an action is nothing for the person: one of strangers, or against a claim that nobody makes."""
    plays = any(who == player["id"] for player in status["players"])
    return (plays and name in FOR_STRANGERS) or (name == "oppose_succession" and not status["succession"])


def _later(terminal: Terminal, status: Record) -> None:
    """Print what comes by itself, what waits, and what the person owes and cannot do yet."""
    later = [owed for owed in status.get("owed", ()) if owed["not_yet"]]
    if not (status["timers"] or status["held"] or later):
        return
    terminal.say()
    terminal.heading("Later")
    show_owed_later(terminal, status)
    for timer in status["timers"][:MOST_TIMERS]:
        terminal.wrapped(f"{write_moment(timer['due'])}  timer {_timer(timer['key'], timer['summary'])}", 2)
    left = len(status["timers"]) - MOST_TIMERS
    if left > 0:
        terminal.say(f"  … and {left} more timers: `moot status --json`")
    _held(terminal, status["held"])


def _for_administrators(terminal: Terminal, status: Record, *, keeps: bool) -> None:
    """Print what those who keep the game may want to look at; their actions and what they may answer to them alone."""
    odd = status.get("odd_refs") or []
    if not (keeps or odd or status["size"]["warning"]):
        return
    terminal.say()
    terminal.heading("For administrators")
    _size(terminal, status["size"])
    show_odd(terminal, odd)
    if keeps:
        show_refused_of_others(terminal, status)
        acts = [name for name in status["actions"] if name in ADMINISTRATIVE]
        terminal.wrapped(f"Their actions: {', '.join(acts)}")


def _size(terminal: Terminal, size: Record) -> None:
    if size["warning"]:
        why = f"The game takes {size['bytes']:,} of the {size['limit']:,} bytes that it may"
        terminal.note(
            f"{why}. Next: let something go, or raise the limit: `moot act set_limit name=game_size value=…`."
        )


def _head(terminal: Terminal, status: Record) -> None:
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
    if status.get("overdue"):
        _tell_overdue(terminal, status["overdue"])
    for rule in status["asleep"][:MOST_ASLEEP]:
        terminal.wrapped(asleep_told(rule))
    if len(status["asleep"]) > MOST_ASLEEP:
        terminal.say(f"… and {len(status['asleep']) - MOST_ASLEEP} more rules that sleep: `moot status --json`")


def _tell_overdue(terminal: Terminal, overdue: Record) -> None:
    """Say what is due by now: until a referee looks, all stands as it was before."""
    more = f", and {counted(overdue['more'], 'more timer')}" if overdue["more"] else ""
    what = _timer(overdue["timer"], overdue["summary"])
    since = f"Due since {write_moment(overdue['since'])}: timer {what}{more}."
    terminal.wrapped(f"{since} {overdue['next']}; all here is as it was before.")


def _timer(key: str, summary: str) -> str:
    """Return a timer as the rule that runs it names it, and says what it is for."""
    return quotation(f"{key}: {summary}" if summary else key)


def _why(win: Record) -> str:
    """Return why somebody won, behind the sentence that says so."""
    return f": {quotation(str(win['why']).rstrip('.'))}" if win["why"] else ""


def _won(terminal: Terminal, status: Record) -> None:
    """Print who has won, by which rule, and what comes next."""
    if status["over"]:
        terminal.wrapped(f"The game is over: {', '.join(status['over']['winner'])} won{_why(status['over'])}.")
        terminal.say("Nothing more is taken in. Next: another game, which `moot new NAME` founds.")
    elif status["won"]:
        last = status["won"][-1]
        rounds = f" ({len(status['won'])} wins so far)" if len(status["won"]) > 1 else ""
        terminal.wrapped(f"{', '.join(last['winner'])} won at {write_moment(last['at'])}{rounds}{_why(last)}")
        terminal.say("Play goes on by the same rules; what somebody owes stands below.")


def _votes(terminal: Terminal, proposals: list[Record]) -> None:
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


def _duties(terminal: Terminal, duties: list[Record]) -> None:
    if duties:
        terminal.say()
        terminal.table(
            ["Who", "owes", "by"],
            [[d["player"], quotation(d["what"]), write_moment(d["by"]) if d["by"] else ""] for d in duties],
        )


def _held(terminal: Terminal, held: list[Record]) -> None:
    if held:
        terminal.say()
        terminal.table(
            ["Entry", "Who", "sent", "which waits for"],
            [[str(act["id"]), act["by"] or "", act["do"], act["label"]] for act in held],
        )


def _standing(terminal: Terminal, status: Record) -> None:
    """Print what everybody has, in several tables where one would be wider than the terminal."""
    currencies = status["currencies"]
    if not currencies:
        return
    players = [{**player, "offices": ", ".join(player["offices"])} for player in status["players"]]
    first = max(len("Player"), *(len(player["id"]) for player in players)) if players else len("Player")
    widths = {name: max(len(name), *(len(str(player[name])) for player in players), 0) for name in currencies}
    for names in _side_by_side({**widths, "offices": len("offices")}, first):
        terminal.say()
        terminal.table(["Player", *names], [[player["id"], *(player[name] for name in names)] for player in players])


def _side_by_side(widths: Mapping[str, int], first: int) -> list[list[str]]:
    """Return columns in groups, each of which has room on the terminal beside a first column."""
    columns = shutil.get_terminal_size().columns
    groups, room = [list[str]()], columns - first
    for name, width in widths.items():
        if groups[-1] and width + 2 > room:
            groups.append([])
            room = columns - first
        groups[-1].append(name)
        room -= width + 2
    return groups
