"""The games of a repository as their pages see them: all that is recorded, and what their rules answer now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

from msgspec.structs import replace

from folkmoot.core.ballot_display import is_displayed
from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.documents import Document, Proposal
from folkmoot.core.problems import Problem, ProblemError
from folkmoot.game.session import Session, deputies_in
from folkmoot.sandbox.client import Sandbox
from folkmoot.site.configuration import played_branch, site_address
from folkmoot.site.forecast import trials_of
from folkmoot.site.game_reader import GameReader
from folkmoot.site.garbage_collection import uncollected
from folkmoot.site.generated import CACHE
from folkmoot.site.pages.rule import OVERRULED
from folkmoot.site.polls import CHOOSING, COUNTED, STANDING
from folkmoot.wording.game_view import GameView, ShownPage, is_proposal
from folkmoot.wording.page_links import titled

QUESTIONS = ("mover", "headline", "pitch", "to_win")


def view_of(session: Session, reader: GameReader | None = None, trials: Path | None = None) -> GameView:
    """Return a game as its pages see it: its documents of today, all of the past, and what its rules answer now.

    `reader` knows what was read of the game the last time; `trials` is where those of open votes are stored, which are
    not tried without it.
    """
    record, law, reader = session.record, session.sandbox, reader or GameReader()
    documents = reader.documents(session)
    now = int((documents.get("head") or {}).get("at") or 0)
    shown = [
        ShownPage(
            name=name,
            title=titled(name),
            rule=str(page.get("rule") or ""),
            blocks=list(page.get("blocks") or ()),
            failure=str(page.get("error") or ""),
        )
        for name, page in law.pages(now).items()
    ]
    answers = {question: law.ask(question, [], now) for question in QUESTIONS}
    offices = documents.get("things/office") or {}
    for office in offices:
        answers[f"holder:{office}"] = law.ask("holder", [office], now)
    holders = {name: answers[f"holder:{name}"] or kept.get("holder") for name, kept in offices.items()}
    acting = deputies_in(documents, holders, lambda player, office: law.ask("acts_for", [player, office], now))
    answers |= {f"acts_for:{office}": players for office, players in acting.items()}
    for uid, question, by in law.overruled(now):
        answers.setdefault(f"{OVERRULED}{uid}", []).append([question, by])
    answers |= _answers_of_votes(law, documents, now)
    answers |= trials_of(session, trials, now) if trials else {}
    return GameView(
        slug=record.name,
        documents=documents,
        entries=reader.entries(session),
        order=law.order(now),
        shown=shown,
        answers=answers,
    )


def _answers_of_votes(law: Sandbox, documents: Mapping[str, Document], now: int) -> dict[str, object]:
    """Return by which words one votes on what is open, and, where ballots are displayed, how the law says it stands."""
    found: dict[str, object] = {}
    for each in documents.values():
        if not is_proposal(each) or each.get("state") != "open":
            continue
        name = str(each["id"])
        found[f"{CHOOSING}{name}"] = law.ask("choices", [], now, name)
        if is_displayed(cast(Proposal, each)):
            verdict = law.ask("adopted", [], now, name)
            found[f"{COUNTED}{name}"] = verdict.get("why") if isinstance(verdict, dict) else None
            found[f"{STANDING}{name}"] = law.ask("standing", [], now, name)
    return {key: said for key, said in found.items() if said}


def games_of(
    root: Path, reader: Callable[[str], GameReader] = lambda _game: GameReader()
) -> tuple[list[GameView], dict[str, Problem]]:
    """Return the games of a repository as their pages see them, and what is wrong with those that cannot be read.

    `reader` returns by name what was read of a game the last time.
    Raises what is wrong where none can be read, though there are some.
    """
    views, failed = [], dict[str, Problem]()
    files = CloneFiles(root)
    folders = [root / "state" / name for name, _ in files.listing("state") if files.kind(f"state/{name}/head.yaml")]
    branch, address = played_branch(root), site_address(root)
    for folder in folders:
        try:
            with uncollected(), Session.open(folder) as session:
                view = view_of(session, reader(folder.name), root / CACHE / "trials")
        except ProblemError as error:
            first = error.problems[0]
            failed[folder.name] = replace(first, message=f"no pages of {folder.name}: {first.message}")
            continue
        views.append(replace(view, branch=branch, alone=len(folders) == 1, address=address))
    if failed and not views:
        raise ProblemError(*failed.values())
    return views, failed
