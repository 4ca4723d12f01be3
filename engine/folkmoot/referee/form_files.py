"""The files by which a forge offers the forms of the games, made from the actions of their rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from folkmoot.files.canonical import write_yaml
from folkmoot.files.issue_forms import (
    CHANGES,
    FORMS,
    GAME,
    ISSUE_FORMS,
    LABEL,
    QUESTION,
    STATEMENT,
    UNCHOSEN,
    FormField,
)
from folkmoot.game.session import Session
from folkmoot.kernel.act_declarations import BEYOND_RULES
from folkmoot.site.action_lines import action_line

FOLDERS = {"github": ".github/ISSUE_TEMPLATE", "gitea": ".gitea/ISSUE_TEMPLATE"}
"""Where each kind of forge looks for forms; Forgejo reads those of Gitea too."""
PRESELECTED: dict[str, tuple[str, ...]] = {"github": (), "gitea": (UNCHOSEN,)}
"""With what every menu of a kind of forge begins: Gitea 1.22 and Forgejo 7 present the first choice as chosen."""
MADE = "# Made by `moot "  # how the first line begins of a form that was made, by whichever version
NOTE = f"{MADE}init` from the rules of the games; run it again when the actions have changed.\n"
MOST_OPTIONS = 200


class Offered(Struct, frozen=True):
    """What a game offers to its forms: its actions by name, the kernel's too, and the words for the status of rules."""

    game: str
    actions: dict[str, Any] = field(default_factory=dict)
    statuses: tuple[str, ...] = ()


def form_files(forge: str, games: Sequence[Offered]) -> dict[str, str]:
    """Return the text of each file of the forms of a repository's games, by its path; none where a forge has none."""
    folder = FOLDERS.get(forge)
    if folder is None or not games:
        return {}
    config = write_yaml({"blank_issues_enabled": True})
    files = {f"{name}.yml": write_yaml(form(name, games, PRESELECTED[forge])) for name in FORMS}
    return {f"{folder}/{name}": NOTE + text for name, text in {**files, "config.yml": config}.items()}


def form(name: str, games: Sequence[Offered], first: Sequence[str] = ()) -> dict[str, Any]:
    """Return the form of a name as the data of its file; `first` are choices that every menu begins with."""
    said = ISSUE_FORMS[name]
    body: list[dict[str, Any]] = [{"type": "markdown", "attributes": {"value": f"{said.opening}\n"}}]
    if len(games) > 1:
        body.append(_field(GAME, ", ".join(each.game for each in games)))
    every = (each for game in games for each in game.actions.items() if each[1].get("travels") == "with_proposal")
    requests = [action_line(name, declared).removeprefix("/do ") for name, declared in every]
    spared = {"to": ", ".join(_statuses(games)), "requests": "\n".join(requests[:5])}
    for each in said.fields:
        if each.id not in spared or spared[each.id]:
            options = _options(each.id, games) if each.kind == "choice" else []
            body.append(_field(each, spared.get(each.id, each.example), [*first, *options] if options else []))
    title = {"title": said.issue_title} if said.issue_title else {}
    return {"name": said.title, "description": said.description, **title, "labels": [LABEL], "body": body}


def _field(each: FormField, example: str = "", options: Sequence[str] = ()) -> dict[str, Any]:
    kind = {"line": "input", "area": "textarea", "choice": "dropdown"}[each.kind]
    attributes: dict[str, Any] = {"label": each.label, "description": each.help}
    attributes |= {"placeholder": example} if example else {}
    attributes |= {"options": list(options)} if options else {}
    attributes |= {"render": each.renders} if each.renders else {}
    return {"type": kind, "id": each.id, "attributes": attributes, "validations": {"required": each.required}}


def _options(menu: str, games: Sequence[Offered]) -> list[str]:
    """Return the choices of a menu, by the id of its field."""
    if menu == "choice":
        needed = {name: list(declared.get("arguments") or {}) for name, declared in _acts(games).items()}
        return [f"{do}: {', '.join(names)}" if names else do for do, names in needed.items()][:MOST_OPTIONS]
    if menu == "change":
        return [words for kind, words in CHANGES.items() if kind != "transmute" or _statuses(games)]
    return [STATEMENT, QUESTION]


def _statuses(games: Sequence[Offered]) -> list[str]:
    """Return what rules can be transmuted to: none where all have the same status."""
    found = dict.fromkeys(status for game in games for status in game.statuses)
    shown = [status for status in found if len(status) <= 40 and status.isprintable()]
    return shown if len(shown) > 1 else []


def _acts(games: Sequence[Offered]) -> dict[str, Any]:
    """Return the actions that players do by themselves, by name: those of the rules first, then the kernel's."""
    found: dict[str, Any] = {}
    for game in games:
        for name, declared in game.actions.items():
            if name not in BEYOND_RULES and declared.get("travels") != "with_proposal":
                found.setdefault(name, declared)
    return found


def forms_of(root: Path, forge: str, games: Iterable[str]) -> dict[str, str]:
    """Return the files of the forms for some games of a repository on a kind of forge: path → text."""
    offered = []
    for game in games:
        with Session.open(root / "state" / game) as session:
            found = {str((rule.get("labels") or {}).get("status") or "") for rule in session.rules()}
            offered.append(Offered(game, session.actions(), tuple(sorted(found - {""}))))
    return form_files(forge, offered)
