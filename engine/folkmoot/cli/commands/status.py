"""`moot status`: whose turn it is, what is open until when, who owes what."""

from __future__ import annotations

from typing import Any

import click

from folkmoot.cli.games import game_folder
from folkmoot.cli.options import game_name_option, json_option
from folkmoot.cli.person_status import show_odd, show_seat, show_sent
from folkmoot.cli.repositories import remote_option
from folkmoot.cli.sending import is_met, played_game, remote_view_of
from folkmoot.cli.terminal import Terminal, stamped
from folkmoot.core.calendar import write_stamp
from folkmoot.core.problems import Problem, ProblemError
from folkmoot.core.proposal_numbers import called
from folkmoot.game.session import Session
from folkmoot.game.status import asleep_told, status_of
from folkmoot.player.answers import changed_by_hand, sent_by
from folkmoot.player.person_status import person_status
from folkmoot.player.remote_view import RemoteView

MOST_BY_HAND = 5  # problems that are shown
MOST_ASLEEP = 10  # rules that are told one by one
SECONDS = 20  # that asking the remote repository may take


@click.command("status")
@click.option("-b", "--by", "player", metavar="PLAYER", help="Show only what this player owes and may vote on.")
@click.option("--offline", is_flag=True, help="Do not ask the remote repository; show what was fetched last.")
@click.option("--all", "all_", is_flag=True, help="Show all that came of what was sent, older things too.")
@game_name_option
@remote_option
@json_option
@click.pass_obj
def command(
    terminal: Terminal, game: str | None, remote: str | None, player: str | None, offline: bool, all_: bool
) -> None:
    """Show whose turn it is, what is open until when, what is owed, how things stand, and which actions there are.

    In a game that is played by pull requests, this fetches first, and shows what you owe with the command for each
    thing, the open pull requests, and what became of what you sent.
    """
    if remote is None and not is_met(terminal, game):
        with Session.open(game_folder(terminal, game), judging=True) as session:
            status = status_of(session, player)
        terminal.record(stamped(status))
        _tell(terminal, status)
        return
    view = remote_view_of(terminal, remote, SECONDS)
    note = look(view, offline=offline)
    if note:
        terminal.note(note)
    name = played_game(view, game)
    by_hand = changed_by_hand(view, name)
    with view.session(name) as session:
        status = (
            person_status(view, session)
            if player is None
            else {**status_of(session, player), **sent_by(view, session, player)}
        )
    tampered = [problem.as_record() for problem in by_hand]
    terminal.record(stamped({**status, "place": view.place, "note": note, "changed_by_hand": tampered}))
    if not terminal.json:
        _tell_by_hand(terminal, name, by_hand)
    if player is None:
        show_seat(terminal, status, all_=all_)
        show_odd(terminal, status["odd_refs"])
    else:
        show_sent(terminal, status, all_=all_)
    _tell(terminal, status)


def _tell_by_hand(terminal: Terminal, game: str, problems: list[Problem]) -> None:
    """Say that what is shown is not what the rules of the game came to."""
    if problems:
        terminal.problems(problems[:MOST_BY_HAND])
        terminal.note(f"Somebody changed {game} by hand: what follows is not what its rules came to. Nothing is judged")
        terminal.note("until an administrator puts that right: `moot repair`.")


def look(view: RemoteView, *, offline: bool) -> str:
    """Fetch what is new, or take what was fetched last; returns why it is not new, "" if it is."""
    if not offline:
        try:
            view.look()
        except ProblemError as error:
            if view.remote is None:
                raise
            try:
                view.remember()
            except ProblemError:  # nothing was fetched before: what is wrong with fetching now is all there is to say
                raise error from None
            return f"Not up to date: {error.problems[0].message}. This is what was fetched last."
        return ""
    view.remember()
    return "" if view.remote is None else "Offline: this is what was fetched last."


def _tell(terminal: Terminal, status: dict[str, Any]) -> None:
    _head(terminal, status)
    _votes(terminal, status["open"])
    _duties(terminal, status["duties"])
    _held(terminal, status["held"])
    _coming(terminal, status["timers"])
    _standing(terminal, status)
    names = ", ".join(status["actions"])
    terminal.say(f"\nActions: {names}" if names else "\nNo rule offers an action.")


def _head(terminal: Terminal, status: dict[str, Any]) -> None:
    terminal.heading(f"{status['title']} ({status['game']}), entry {status['seq']} of {write_stamp(status['at'])}")
    if status["size"]["warning"]:
        size = status["size"]
        why = f"The game takes {size['bytes']:,} of the {size['limit']:,} bytes that it may"
        terminal.note(
            f"{why}. Next: let something go, or raise the limit: `moot act set_limit name=game_size value=…`."
        )
    claim = status["succession"]
    if claim:
        asked = f"{claim['by']} asks to become an administrator, and can from {write_stamp(claim['due'])} on"
        terminal.say(f"{asked}, unless an administrator acts until then. To object: `moot act oppose_succession`.")
    if status["over"]:
        terminal.say(f"The game is over: {', '.join(status['over']['winner'])} won. {status['over']['why']}")
        terminal.say("Nothing more is taken in. Next: another game, which `moot new NAME` founds.")
    elif status["won"]:
        last = status["won"][-1]
        rounds = f" ({len(status['won'])} wins so far)" if len(status["won"]) > 1 else ""
        terminal.say(f"{', '.join(last['winner'])} won at {write_stamp(last['at'])}{rounds}: {last['why']}")
        terminal.say("Play goes on by the same rules; what somebody owes stands below.")
    if status["over"]:
        return
    if status["paused"] is not None:
        terminal.say(f"Paused since {write_stamp(status['paused'])}; timers stand still.")
    elif status["mover"]:
        terminal.say(f"It is {status['mover']}'s turn.")
    for rule in status["asleep"][:MOST_ASLEEP]:
        terminal.say(asleep_told(rule))
    if len(status["asleep"]) > MOST_ASLEEP:
        terminal.say(f"… and {len(status['asleep']) - MOST_ASLEEP} more rules that sleep: `moot status --json`")


def _votes(terminal: Terminal, proposals: list[dict[str, Any]]) -> None:
    for proposal in proposals:
        until = f" until {write_stamp(proposal['until'])}" if proposal["until"] else ""
        terminal.say(f"\n{called(proposal).capitalize()}: {proposal['title']} ({proposal['author']})")
        terminal.say(f"  {proposal['state']}{until}; read it: `moot explain {called(proposal)}`")
        if proposal["decider"]:
            terminal.say(f"  awaits the decision of {proposal['decider']['player']} ({proposal['decider']['as']})")
        if proposal["standing"]:
            terminal.say(f"  {proposal['standing']}")
        if proposal["state"] == "open":
            terminal.say(f"  voted: {', '.join(proposal['voted']) or 'nobody'}")
            terminal.say(f"  not yet: {', '.join(proposal['missing']) or 'nobody'}")


def _duties(terminal: Terminal, duties: list[dict[str, Any]]) -> None:
    if duties:
        terminal.say()
        terminal.table(
            ["Who", "owes", "by"],
            [[d["player"], d["what"], write_stamp(d["by"]) if d["by"] else ""] for d in duties],
        )


def _held(terminal: Terminal, held: list[dict[str, Any]]) -> None:
    if held:
        terminal.say()
        terminal.table(
            ["Entry", "Who", "sent", "which waits for"],
            [[str(act["id"]), act["by"] or "", act["do"], act["label"]] for act in held],
        )


def _coming(terminal: Terminal, timers: list[dict[str, Any]]) -> None:
    if timers:
        terminal.say()
        terminal.table(["Timer", "is due"], [[t["key"], write_stamp(t["due"])] for t in timers])


def _standing(terminal: Terminal, status: dict[str, Any]) -> None:
    currencies = status["currencies"]
    if currencies:
        terminal.say()
        terminal.table(
            ["Player", *currencies, "offices"],
            [[p["id"], *(p[c] for c in currencies), ", ".join(p["offices"])] for p in status["players"]],
        )
