"""How a game stands, for the person at a clone or for who keeps it: now, later, and for administrators."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from folkmoot.cli.clones import SECONDS, last_look, looked_at
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.terminal import Terminal, counted, stamped
from folkmoot.core.calendar import seconds_of, write_moment
from folkmoot.core.keys import GAME, TIMERS
from folkmoot.core.problems import Problem
from folkmoot.core.proposal_numbers import called
from folkmoot.game.status import asleep_told, status_of
from folkmoot.journal.machine_clock import clock_warning
from folkmoot.kernel.act_declarations import KERNEL_DECLARATIONS
from folkmoot.wording.law_sentence import quotation

if TYPE_CHECKING:
    from folkmoot.game.session import Session
    from folkmoot.player.remote_view import RemoteView

Record = dict[str, Any]
SEALS = "This game seals things, such as what only one may see: `moot key --keeper` makes the key for that."
MOST_BY_HAND = 5  # problems that are shown
MOST_TIMERS = 10
NEWS = ("refused", "answers", "decided", "ignored")
MOST_ACTIONS = 40  # that are named
MOST_ASLEEP = 10  # rules that are told one by one
RARE = frozenset(KERNEL_DECLARATIONS) - {"vote", "join", "withdraw_application", "oppose_succession"}
"""Actions of every game that nobody needs day by day."""
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
) -> int:
    """Show how a game stands, or wait for what is `awaited`."""
    if awaited is None:
        if timeout is not None:
            raise click.UsageError("--timeout goes with --wait.")
        show_status(terminal, game, remote, player, offline=offline, all_=all_)
        return 0
    if player is not None or offline or all_:
        raise click.UsageError("--wait is for what concerns you, from now on: leave out --by, --offline and --all.")
    return wait_for_news(terminal, game, remote, awaited, timeout)


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
    from folkmoot.player.answers import news
    from folkmoot.player.person_status import person_status

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
    told = {
        "since": first["due"],
        "timer": first["key"],
        "by": first["by"],
        "summary": first["summary"],
        "more": len(due) - 1,
    }
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
    terminal.say()
    _actions(terminal, status, who)
    _for_administrators(terminal, status)


def _actions(terminal: Terminal, status: Record, who: str | None) -> None:
    """Print what may be done, by name where that is no long list, and where more of it stands."""
    if status["over"]:
        terminal.wrapped("`moot show` says what there is to see, `moot log` how it went.")
        return
    own = [name for name in status["actions"] if name not in RARE and not _idle(name, status, who)]
    listed = ", ".join(own) if len(own) <= MOST_ACTIONS else f"there are {len(own)}"
    terminal.wrapped(f"Actions: {listed}" if own else "No rule offers an action.")
    terminal.wrapped("`moot act --list` says what each does and what else there is, `moot show` what there is to see.")


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
    coming = list(dict.fromkeys(f"{write_moment(timer['due'])}  {_timer(timer)}" for timer in status["timers"]))
    for told in coming[:MOST_TIMERS]:
        terminal.wrapped(told, 2, 22)
    if len(coming) > MOST_TIMERS:
        terminal.say(f"  … and {len(coming) - MOST_TIMERS} more: `moot status --json`")
    _held(terminal, status["held"])


def _for_administrators(terminal: Terminal, status: Record) -> None:
    """Print what those who keep the game may want to look at."""
    odd = status.get("odd_refs") or []
    if not (odd or status["size"]["warning"] or status["keeper_missing"]):
        return
    terminal.say()
    terminal.heading("For administrators")
    _size(terminal, status["size"])
    if status["keeper_missing"]:
        terminal.wrapped(SEALS)
    show_odd(terminal, odd)


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


def _timer(timer: Record) -> str:
    """Return what comes with a timer, and by which rule."""
    return f"{'rule ' if timer['by'] else 'the law'}{timer['by']}: {quotation(timer['summary'])}"


def _tell_overdue(terminal: Terminal, overdue: Record) -> None:
    """Say what is due by now: until a referee looks, all stands as it was before."""
    more = f", and {counted(overdue['more'], 'more timer')}" if overdue["more"] else ""
    since = f"Due since {write_moment(overdue['since'])}: {_timer(overdue)}{more}."
    terminal.wrapped(f"{since} {overdue['next']}; all here is as it was before.")


def _why(win: Record) -> str:
    """Return why somebody won, behind the sentence that says so."""
    return f": {quotation(str(win['why']).rstrip('.'))}" if win["why"] else ""


def _won(terminal: Terminal, status: Record) -> None:
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


# -- until something is asked of the person, or what they sent is answered


def wait_for_news(terminal: Terminal, game: str | None, remote: str | None, what: str, timeout: float | None) -> int:
    """Wait until there is a `duty`, an `answer` or `anything`, and say what came."""
    from folkmoot.cli.sending import played_game, remote_view_of
    from folkmoot.player.answers import wait_until

    view = remote_view_of(terminal, remote, SECONDS)
    name = played_game(view.look(), game)
    found = wait_until(view, _Awaited(name, what).found, timeout)
    if found is None:
        terminal.record({"game": name, "came": None})
        terminal.note("Nothing came in time.")
        return Exit.LATE
    came, status = found
    terminal.record(stamped({"game": name, "came": came, **{key: status[key] for key in ("owed", "over", *NEWS)}}))
    if came == "over":
        why = quotation(status["over"]["why"])
        terminal.say(f"The game is over: {', '.join(status['over']['winner'])} won. {why}")
    elif came == "duty":
        show_owed(terminal, status)
    else:
        terminal.say("All that you sent is answered.")
        show_sent(terminal, status)
    return Exit.OK


class _Awaited:
    """What is waited for; it is noted at first whether there is anything that could be answered."""

    def __init__(self, game: str, what: str) -> None:
        self.game, self.what = game, what
        self.sent: bool | None = True if what == "answer" else False if what == "duty" else None

    def found(self, view: RemoteView) -> tuple[str, Record] | None:
        """Return what came (`duty`, `answer`, or `over`) and how the game stands; None where nothing did."""
        from folkmoot.player.person_status import person_status

        with view.session(self.game) as session:
            status = person_status(view, session)
        pending = is_pending(status)
        self.sent = pending if self.sent is None else self.sent
        if status["over"]:
            return "over", status
        if status["owed"] and self.what != "answer":
            return "duty", status
        return ("answer", status) if self.sent and not pending else None


def is_pending(status: Record) -> bool:
    """Say whether a referee has still to look at something that the person sent."""
    return bool(status["waiting"]) or any(pull["own"] and pull["state"] == "new" for pull in status["pulls"])


# -- what concerns the person at the terminal in a game that is played by pull requests

STATES = {"new": "not looked at yet", "seen": "not taken in", "pending": "not open yet", "open": "open to votes"}


def show_seat(terminal: Terminal, status: Record, *, all_: bool = False) -> None:
    """Print who the person is, what they owe now, which pull requests are open, and what became of what they sent."""
    you = status["you"]
    if you["player"]:
        terminal.heading(f"You are {you['player']}{_in_brackets(you['email'])}.")
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
    show_news(terminal, status)
    show_sent(terminal, status, all_=all_)
    _pulls(terminal, status["pulls"])
    for each in status["going_on"]:
        named = each["called"].capitalize()
        terminal.say(f"{named} goes on although its pull request {each['pull']} is closed{each['why']}.")
    if status["behind"]:
        number = status["behind"]
        own = f" and has {counted(status['ahead'], 'commit')} of its own" if status["ahead"] else ""
        way = "`git pull --rebase`" if own else "`git pull`"
        terminal.say(f"\nYour branch {status['branch']} is {counted(number, 'commit')} behind{own}: {way}.")
    terminal.say()


def _in_brackets(text: str) -> str:
    return f" ({text})" if text else ""


def _show_unknown(terminal: Terminal, you: Record) -> None:
    """Print how somebody whom git does not tell says which player of a forge they are."""
    from folkmoot.player.dry_run import FORGES
    from folkmoot.player.remote_view import SETTING

    place = FORGES[you["forge"]]
    if you["unknown"]:
        terminal.heading(f"git says that you are {you['unknown']}, whom the game does not know on {place}.")
    else:
        terminal.heading(f"Players are known by their accounts on {place}, of which git knows nothing.")
    terminal.say(f"If you play, `git config {SETTING} PLAYER` says who you are; `moot join` asks to become a player.")


def show_news(terminal: Terminal, status: Record) -> None:
    """Print how much others said since the person last looked."""
    if status["new_comments"]:
        terminal.say(f"{counted(status['new_comments'], 'new comment')} by others: `moot log --new`.")


def show_owed(terminal: Terminal, status: Record) -> None:
    """Print what the person owes, each with the command that does it."""
    if not status["you"]["player"]:
        return
    if not status["owed"]:
        terminal.say("You owe nothing.")
        return
    now = [owed for owed in status["owed"] if not owed["not_yet"]]
    terminal.say("You owe:" if now else "You owe nothing now.")
    for owed in now:
        terminal.wrapped(f"{owed_in_words(owed)}{_by(owed)}", 2)
        commands = owed["choices"][:1] == [owed["command"]]
        typed = owed["choices"][1:] if commands else map(shlex.quote, owed["choices"][1:])
        others = f"   (or {', '.join(typed)})" if len(owed["choices"]) > 1 else ""
        if owed["command"]:
            terminal.say(f"      {owed['command']}{others}", whole=True)


def show_owed_later(terminal: Terminal, status: Record) -> None:
    """Print what the person owes and the rules do not let them do yet, with why."""
    for owed in (each for each in status.get("owed", ()) if each["not_yet"]):
        terminal.wrapped(f"you: {owed_in_words(owed)}{_by(owed)}; not yet: {owed['not_yet'].rstrip('.')}", 2)


def owed_in_words(owed: Record) -> str:
    """Return what somebody owes: a vote as the engine calls it, a duty in the words of the rule that asks for it."""
    return quotation(owed["what"]) if owed["rule"] else str(owed["what"])


def _by(owed: Record) -> str:
    return f", by {write_moment(owed['by'])}" if owed["by"] else ""


def _pulls(terminal: Terminal, pulls: list[Record]) -> None:
    if not pulls:
        return
    terminal.say()
    rows = [
        [pull["number"], pull["title"], pull["author"], _state(pull), pull["choice"] or ""]
        for pull in pulls
    ]  # fmt: skip
    terminal.table(["Pull", "Title", "By", "Stands", "Your vote"], rows)
    others = [str(pull["number"]) for pull in pulls if not pull["own"] and (pull["why"] or pull["flaws"])]
    for number in (pull["number"] for pull in pulls if pull["newer"]):
        terminal.say(f"Pull request {number} has newer content than what is voted on: `moot show {number}`.")
    for pull in (pull for pull in pulls if pull["own"]):
        for why in pull["why"][:3]:
            terminal.say(f"Pull request {pull['number']} was not taken in: {why}")
        if pull["flaws"]:
            terminal.say(f"Pull request {pull['number']}: {flawed(pull['flaws'])}")
    if others:
        listed = f"{', '.join(others[:MOST_SHOWN])}{' …' if len(others) > MOST_SHOWN else ''}"
        these = "Pull requests" if len(others) > 1 else "Pull request"
        why = f"Why: `moot try {others[-1]} --said`."
        terminal.say(f"{these} {listed} of others: not taken in, or faulty. {why}")


def flawed(flaws: list[str]) -> str:
    """Return what is wrong with scripts and examples of a pull request as a sentence."""
    more = f" (and {len(flaws) - 1} more)" if len(flaws) > 1 else ""
    return f"Its script or examples are faulty: {flaws[0]}{more}"


def _state(pull: Record) -> str:
    named = f"{pull['called']}, " if pull["called"] else ""
    state = str(pull["state"])
    return named + ("not decided yet" if pull["decider"] else STATES.get(state, state))


MOST_ODD = 5  # refs that are nothing


def show_odd(terminal: Terminal, refs: list[Record]) -> None:
    """Print the refs that nothing came of, each with why and the command that takes it away."""
    for ref in refs[:MOST_ODD]:
        terminal.say(f"{ref['ref']} is nothing: {ref['why']}. Whoever may, takes it away: `{ref['removes']}`.")
    if len(refs) > MOST_ODD:
        terminal.say(f"… and {len(refs) - MOST_ODD} more such refs: `moot status --json`")


MOST_SHOWN = 20  # of one's own things, and of pull requests
MOST_REFUSED = 5  # refusals that are told one by one
MOST_ACCEPTED = 8
WORDS = {"void": "No effect", "refused": "Refused", "waiting": "Waits", "told": "Answered"}
_WAITS = {False: "Sent, and not looked at yet", True: "Waits: a referee has seen it and not judged it yet"}
PLACES = {"pull": "pull request", "issue": "issue", "thread": "the game's thread"}


def show_sent(terminal: Terminal, status: Record, *, all_: bool = False) -> None:
    """Print what became of what somebody sent, and what others did to them, the newest first."""
    groups = _groups(status)
    shown = [_newest(group, len(group) if all_ else most) for most, group in groups]
    lines = [
        *(f"{_WAITS[bool(letter.get('seen'))]}: {_letter_words(letter)}" for letter in reversed(status["waiting"])),
        *(_ballot(ballot) for ballot in status.get("ballots", ()) if ballot["state"] != "counts"),
    ]
    lines += [line for _, line in _by_time([line for group in shown for line in group])]
    older = sum(len(group) for _, group in groups) - sum(map(len, shown))
    lines += [f"… and {older} older ones: `moot status --all`"] if older else []
    lines += _accepted(status["accepted"])
    if lines:
        terminal.say()
    for line in lines:
        terminal.say(line)


Line = tuple[tuple[int, int], str]  # when (Unix seconds) and the entry (0: none), then what is said


def _groups(status: Record) -> list[tuple[int, list[Line]]]:
    """Return what is told, by kind, with how many of a kind are told one by one: no flood of one hides another."""
    answers = status["answers"]
    return [
        (MOST_REFUSED, list(_refused(status["refused"]))),
        (MOST_SHOWN, [_answer_line(answer) for answer in answers if answer["state"] != "told"]),
        (MOST_SHOWN, [_answer_line(answer) for answer in answers if answer["state"] == "told"]),
        (MOST_SHOWN, [_ignored(letter) for letter in status["ignored"]]),
        (MOST_SHOWN, [_decided(proposal) for proposal in status["decided"]]),
        (MOST_SHOWN, [_felt(change) for change in status["done_to"]]),
    ]


def _by_time(lines: list[Line]) -> list[Line]:
    """Return lines, the newest first; of those of one moment and entry the last comes first, as it came last."""
    return sorted(lines, key=lambda line: line[0])[::-1]


def _newest(lines: list[Line], most: int) -> list[Line]:
    return _by_time(lines)[:most]


def _decided(proposal: Record) -> Line:
    """Return what became of one of the person's own proposals."""
    why = f", {quotation(proposal['why'].rstrip('.'))}" if proposal["why"] else ""
    why += f"; but {proposal['omission'].rstrip('.')}" if proposal["omission"] else ""
    said = f"Your {proposal['called']}, “{proposal['title']}”: {proposal['outcome']}{why} (entry {proposal['entry']})"
    return (proposal["at"], proposal["entry"]), said


def _felt(change: Record) -> Line:
    """Return what somebody else, or a rule, changed of the person, or in what somebody else named them."""
    by = f", by {change['by']}" if change["by"] and not change["act"] else ""
    return (change["at"], change["entry"]), f"{change['what']}{by} (entry {change['entry']})"


def _accepted(acts: list[Record]) -> list[str]:
    """Return the newest acts that were accepted, in one line."""
    named = ", ".join(f"{act['do'].replace('_', ' ')} (entry {act['entry']})" for act in acts[:MOST_ACCEPTED])
    more = f" and {len(acts) - MOST_ACCEPTED} more" if len(acts) > MOST_ACCEPTED else ""
    return [f"Accepted lately, the newest first: {named}{more}."] if acts else []


def _refused(acts: Sequence[Record]) -> Iterator[Line]:
    """Yield what came of acts that were refused; those that were alike, one after the other, are told once."""
    for (act, why, code), alike in groupby(acts, key=lambda act: (act["act"], act["why"], act["code"])):
        same = list(alike)
        first, last = same[0]["entry"], same[-1]["entry"]
        entries = f"entry {last}" if len(same) == 1 else f"{len(same)} times, entries {first} to {last}"
        yield (seconds_of(same[-1]["at"]) or 0, last), f"Refused: {act}: {why} [{code}] ({entries})"


def _answer_line(answer: Record) -> Line:
    return (answer["at"], answer.get("seq") or 0), answer_told(answer)


def answer_told(answer: Record) -> str:
    """Return what a referee said of something that was sent, and where all of it stands."""
    code = f" [{answer['code']}]" if answer.get("code") else ""
    why = f": {answer['why']}" if answer.get("why") else ""
    kind, _, number = str(answer["place"]).partition(" ")
    place = f"{PLACES.get(kind, kind)} {number}".rstrip()
    below = "".join(f"\n    {line}" for line in answer.get("lines", ()))
    return f"{WORDS[answer['state']]}: {answer['what']}{why}{code} ({place}, {write_moment(answer['at'])}){below}"


def _ignored(letter: Record) -> Line:
    says = f"{_letter_words(letter)} " if letter["says"] else ""
    again = f" To send it again: {letter['again']}" if letter["again"] else ""
    return (letter["at"], 0), f"Ignored: {says}(letter {letter['letter'][:12]}): {letter['why']}.{again}"


def _letter_words(letter: Record) -> str:
    return str(letter["says"]) + (f" (pull request {letter['pull']})" if letter["pull"] else "")


def _ballot(ballot: Record) -> str:
    of_law = "rule" not in ballot or ballot["rule"]  # what is not on record yet says so, or the engine does
    why = f": {quotation(ballot['why']) if of_law else ballot['why']}" if ballot["why"] else ""
    return f"Your vote ({ballot['choice']}) on {ballot['on']} {ballot['state']}{why}"
