"""What concerns the person at the terminal in a game that is played by pull requests."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from folkmoot.cli.terminal import Terminal, counted
from folkmoot.core.calendar import seconds_of, write_moment
from folkmoot.wording.law_sentence import quotation

Record = dict[str, Any]
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
    from folkmoot.player.accounts import SETTING
    from folkmoot.player.dry_run import FORGES

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
        typed = owed["choices"][1:] if owed["rule"] else map(shlex.quote, owed["choices"][1:])
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
    return named + STATES.get(state, state)


def show_refused_of_others(terminal: Terminal, status: Record) -> None:
    """Print how many acts of others were refused lately."""
    others = status.get("refused_of_others") or {"count": 0}
    if others["count"]:
        acts = f"{counted(others['count'], 'act')} {'was' if others['count'] == 1 else 'were'}"
        terminal.say(f"Of others, {acts} refused lately; the newest: `moot explain entry {others['newest']}`.")


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
        *(f"{_WAITS[bool(letter.get('seen'))]}: {_told(letter)}" for letter in reversed(status["waiting"])),
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
        (MOST_SHOWN, [_answer(answer) for answer in answers if answer["state"] != "told"]),
        (MOST_SHOWN, [_answer(answer) for answer in answers if answer["state"] == "told"]),
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
    why = f": {quotation(proposal['why'].rstrip('.'))}" if proposal["why"] else ""
    why += f"; but {proposal['omission'].rstrip('.')}" if proposal["omission"] else ""
    said = (
        f"Your {proposal['called']}, “{proposal['title']}”, was {proposal['outcome']}{why} (entry {proposal['entry']})"
    )
    return (proposal["at"], proposal["entry"]), said


def _felt(change: Record) -> Line:
    """Return what somebody else, or a rule, changed of the person, or in what somebody else named them."""
    by = f", by {change['by']}" if change["by"] and not change["act"] else ""
    return (change["at"], change["entry"]), f"{change['what']}{by} (entry {change['entry']})"


def _accepted(acts: list[Record]) -> list[str]:
    """Return the newest acts that were accepted, in one line."""
    if not acts:
        return []
    named = ", ".join(f"{act['do'].replace('_', ' ')} (entry {act['entry']})" for act in acts[:MOST_ACCEPTED])
    more = f" and {len(acts) - MOST_ACCEPTED} more" if len(acts) > MOST_ACCEPTED else ""
    return [f"Accepted lately, the newest first: {named}{more}."]


def _refused(acts: Sequence[Record]) -> Iterator[Line]:
    """Yield what came of acts that were refused; those that were alike, one after the other, are told once."""
    for (act, why, code), alike in groupby(acts, key=lambda act: (act["act"], act["why"], act["code"])):
        same = list(alike)
        first, last = same[0]["entry"], same[-1]["entry"]
        entries = f"entry {last}" if len(same) == 1 else f"{len(same)} times, entries {first} to {last}"
        yield (seconds_of(same[-1]["at"]) or 0, last), f"Refused: {act}: {why} [{code}] ({entries})"


def _answer(answer: Record) -> Line:
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
    says = f"{_told(letter)} " if letter["says"] else ""
    again = f" To send it again: {letter['again']}" if letter["again"] else ""
    return (letter["at"], 0), f"Ignored: {says}(letter {letter['letter'][:12]}): {letter['why']}.{again}"


def _told(letter: Record) -> str:
    return str(letter["says"]) + (f" (pull request {letter['pull']})" if letter["pull"] else "")


def _ballot(ballot: Record) -> str:
    of_law = "rule" not in ballot or ballot["rule"]  # what is not on record yet says so, or the engine does
    why = f": {quotation(ballot['why']) if of_law else ballot['why']}" if ballot["why"] else ""
    return f"Your vote ({ballot['choice']}) on {ballot['on']} {ballot['state']}{why}"
