"""Showing the actions of a game: which there are for somebody, and what one of them takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from folkmoot.cli.clones import kept_game, look
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.games import game_folder
from folkmoot.cli.sending import played_game, player_here, remote_view_of
from folkmoot.cli.terminal import Terminal, without_escapes
from folkmoot.cli.ways_of_play import is_met
from folkmoot.game.actions import GROUPS, Action, Group, action_of, actions_for, administrates, example, usage
from folkmoot.game.session import Session
from folkmoot.game.status import undecided
from folkmoot.kernel.act_declarations import VOTE, doers
from folkmoot.player import present_time
from folkmoot.player.argument_values import known_values
from folkmoot.player.voting import choices_of
from folkmoot.site.action_lines import argument_words
from folkmoot.wording.law_sentence import quotation

WIDTH = 80
MOST_VALUES = 12  # of one argument that are shown
SECONDS = 20  # that asking the remote repository may take


@contextmanager
def opened(terminal: Terminal, game: str | None, remote: str | None, by: str | None) -> Iterator[tuple[Session, Any]]:
    """Open a game as its players have it, with the player that somebody is there (None for a stranger)."""
    if remote is None and not is_met(terminal, game):
        with kept_game(terminal, game_folder(terminal, game)) as session:
            yield session, by
        return
    view = remote_view_of(terminal, remote, SECONDS)
    if note := look(view, offline=False):
        terminal.note(note)
    name = played_game(view, game)
    with view.session(name) as session:
        yield session, by or player_here(view, name)


def list_actions(terminal: Terminal, game: str | None, remote: str | None, by: str | None) -> int:
    """List what somebody may do now, what only with arguments, in an office or not now, and what administrators may."""
    with opened(terminal, game, remote, by) as (session, player):
        found = list(actions_for(session, player, max(present_time.present(), session.at)))
        boss = administrates(session, player)
        terminal.record({"player": player, "administrator": boss, "actions": [record_of(action) for action in found]})
        for group, heading in GROUPS.items():
            _list(terminal, heading, group, [action for action in found if action.group == group], boss=boss)
        terminal.say("`moot act NAME --help` shows what one of them takes.")
    return Exit.OK


def _list(terminal: Terminal, heading: str, group: Group, actions: Sequence[Action], *, boss: bool) -> None:
    if not actions:
        return
    if group == "administrators" and not boss:
        terminal.heading(f"{heading} there are {len(actions)} more, as `moot explain action NAME` shows:")
        for line in _wrapped([action.name for action in actions]):
            terminal.say(f"  {line}")
        return
    terminal.heading(heading)
    width = min(24, max(len(action.name) for action in actions))
    for action in actions:
        said = action.why if group == "not" and action.why else _about(action, group)
        terminal.wrapped(f"{action.name.ljust(width)}  {without_escapes(said)}".rstrip(), 2, width + 2)


def _about(action: Action, group: Group) -> str:
    summary = _summary(action)
    return f"{action.why}. {summary}" if group in ("office", "now") and action.why else summary


def _summary(action: Action) -> str:
    """Return what an action does, in the words of the rule that offers it or in the engine's own."""
    return quotation(action.summary) if action.rule and action.summary else action.summary


def _wrapped(names: Sequence[str]) -> Iterator[str]:
    line = ""
    for name in names:
        if line and len(line) + len(name) + 2 > WIDTH - 4:
            yield f"{line},"
            line = ""
        line = f"{line}, {name}" if line else name
    yield line


def show_action(terminal: Terminal, name: str, game: str | None, remote: str | None) -> int:
    """Show what an action takes, by which rule, and how it is typed."""
    from folkmoot.cli.acting import check_action

    with opened(terminal, game, remote, None) as (session, _player):
        check_action(session, name)
        tell_action(terminal, session, action_of(session, name))
    return Exit.OK


def tell_action(terminal: Terminal, session: Session, action: Action) -> None:
    """Print an action: what it does, who may, its arguments with their values, an example, and its rule."""
    known = values_in(session, action)
    terminal.record(record_of(action) | {"values": known, "example": example(action, known)})
    terminal.heading(f"{action.name}{f': {_summary(action)}' if action.summary else ''}")
    terminal.say(f"  {usage(action)}")
    who = _who(session, action)
    if who:
        terminal.say(who)
    for argument, spec in action.arguments.items():
        said = argument_words(spec or {}) or str((spec or {}).get("type") or "text")
        terminal.say(f"  {argument}: {without_escapes(said)}")
        values = [] if (spec or {}).get("of") else known.get(argument) or []
        if values:
            more = f" … ({len(values)} in all)" if len(values) > MOST_VALUES else ""
            terminal.say(f"      now: {', '.join(values[:MOST_VALUES])}{more}")
    found = example(action, known)
    if found.replace("'…'", "…") != usage(action):  # else it says no more than the line above
        terminal.say(f"For instance: {found}")
    rule = f"Rule {action.rule} offers it: `moot explain rule {action.rule}`."
    terminal.say(rule if action.rule else "It is there in every game.")


def _who(session: Session, action: Action) -> str:
    office, who = action.declared.get("as"), doers(action.declared)
    if office:
        return f"For the holder of the office {office}, now {session.offices().get(office) or 'nobody'}."
    if "anyone" in who:
        return "For anybody, players or not."
    return "" if "player" in who else f"Rules let it be done by things: {', '.join(who)}."


def values_in(session: Session, action: Action) -> dict[str, list[str]]:
    """Return the values that the arguments of an action may have now, where they are few."""
    found = {name: known_values(spec or {}, session.documents) for name, spec in action.arguments.items()}
    if action.name == VOTE:
        found["choice"] = choices_open(session)
    return {name: values for name, values in found.items() if values}


def choices_open(session: Session) -> list[str]:
    """Return the choices of the votes that are open, each once; none where no vote is open or any word may be one."""
    open_ = (str(proposal["id"]) for proposal in undecided(session) if proposal["state"] == "open")
    return list(dict.fromkeys(choice for identifier in open_ for choice in choices_of(session, identifier)))


def record_of(action: Action) -> dict[str, Any]:
    """Return an action for programs."""
    return {
        "name": action.name, "summary": action.summary, "group": action.group, "why": action.why,
        "rule": action.rule, "arguments": dict(action.arguments), "who": doers(action.declared),
        "as": action.declared.get("as"), "usage": usage(action),
    }  # fmt: skip
