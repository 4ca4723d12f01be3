"""As what the rule-changes of a pull request are taken in: as the pull request says, else as the law does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from folkmoot.core.documents import Request
from folkmoot.core.records import Arguments, Taken
from folkmoot.core.rule_blocks import ActionSpec
from folkmoot.game.session import Session
from folkmoot.kernel.act_declarations import argument_for_changes, taking_in
from folkmoot.referee.commands import Command, asked, commands_of
from folkmoot.referee.content import GameContent, InboxAct, split_requests

Actions = Mapping[str, ActionSpec]


def names_taking(command: Command, actions: Actions) -> bool:
    """Say whether a command of a pull request's description says as what its rule-changes are taken in."""
    return _action_of(command) in taking_in(actions)


def _action_of(command: Command) -> str:
    return command.rest.partition(" ")[0] if command.name == "do" else command.name


def acts_apart(content: GameContent, actions: Actions) -> tuple[list[Request], list[InboxAct], list[InboxAct]]:
    """Return what travels with the changes of a content, the acts done by themselves, and those that take it in."""
    requests, acts = split_requests(content, actions)
    naming = [act for act in acts if content.changes and _takes_along(act, actions)]
    return requests, [act for act in acts if act not in naming], naming


def _takes_along(act: InboxAct, actions: Actions) -> bool:
    """Say whether an act takes rule-changes and brings none itself: then it means those beside it."""
    return act.do in taking_in(actions) and argument_for_changes(actions[act.do]) not in act.args


def named_by(naming: Iterable[InboxAct], body: str, actions: Actions) -> Taken | None:
    """Return the act that a pull request names itself, by a file or in its description; None where it names none."""
    found: list[Taken] = [{"do": act.do, "args": dict(act.args), "as": act.as_} for act in naming]
    for command in commands_of(body):
        if names_taking(command, actions):
            wanted = asked(command, actions)
            if wanted.flaw:
                return {"why": wanted.flaw}
            found.append({"do": wanted.do, "args": wanted.args, "as": wanted.as_})
    if len(found) > 1:
        return {"why": f"it names {len(found)} acts that would take it in, {_in_words(found)}; keep one"}
    return found[0] if found else None


def _in_words(found: Iterable[Taken]) -> str:
    return " and ".join(act["do"] for act in found)


def taken_by(session: Session, content: GameContent, title: str, body: str, author: str | None) -> Taken:
    """Return the act that takes the changes of a pull request in, they, its title and requests among its arguments.

    `why` says instead that there is none; `rule` is the uid of the rule that says so.
    """
    actions = session.declared("actions")
    requests, _acts, naming = acts_apart(content, actions)
    taken = named_by(naming, body, actions)
    if taken is None:
        taken = session.taken_as(shown(author, title, body, content.changes, requests))
    return with_changes(taken, actions, title, content.changes, requests)


def shown(by: str | None, title: str, text: str, changes: Iterable[Any], requests: Iterable[Any] = ()) -> Arguments:
    """Return a pull request as the law sees it that is asked as what it takes it."""
    return {"by": by, "title": title, "text": text, "changes": list(changes), "requests": list(requests)}


def with_changes(taken: Taken, actions: Actions, title: str, changes: Iterable[Any], requests: list[Request]) -> Taken:
    """Return an act that takes changes in, with them, and with the title where it knows of titles."""
    if "do" not in taken:
        return taken
    declared = actions[taken["do"]]
    args: Arguments = {argument_for_changes(declared): list(changes)}
    if "title" in (declared.get("arguments") or {}):
        args["title"] = title
    return {**taken, "args": {**args, **taken.get("args", {}), **({"requests": requests} if requests else {})}}
