"""The games of a repository as their pages see them: all that is recorded, and what their rules answer now.

A game is read again and again, by one process or the next; what cannot have changed is neither read nor parsed anew.
Two things are cached. Files of the past are known by their time, size and place on the disk. Entries of the journal
are cached by the thousand; the entry behind such a part names the digest of its last one, which commits to all before.
What is cached and fits no longer is as good as nothing.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec
from msgspec import Struct
from msgspec.msgpack import decode, encode
from msgspec.structs import replace

from folkmoot.core.ballot_display import is_displayed
from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.documents import Document, Proposal
from folkmoot.core.problems import Problem, ProblemError
from folkmoot.core.records import Entry
from folkmoot.game.session import Session, deputies_in
from folkmoot.game.status import MOST_ASKED, in_one_line
from folkmoot.journal import GameFolder, GameRecord
from folkmoot.journal.layout import document_name
from folkmoot.sandbox.client import Sandbox
from folkmoot.site.configuration import CACHE, played_branch, site_address
from folkmoot.site.forecast import trials_of
from folkmoot.site.pages.rule import OVERRULED
from folkmoot.site.polls import CHOOSING, COUNTED, STANDING
from folkmoot.wording.game_view import GameView, ShownPage, is_proposal
from folkmoot.wording.page_links import COMING, titled

QUESTIONS = ("mover", "headline", "pitch", "to_win", "front_page")


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
    timers = documents.get("things/timer") or {}
    coming = sorted(timers, key=lambda key: (timers[key]["due"], key))[:MOST_ASKED]
    answers |= {f"{COMING}{key}": in_one_line(law.ask("coming", [key], now)) for key in coming}
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


# -- a game read again and again

IN_A_PART = 1_000
"""Entries of a part of the journal that is kept."""
MOST_KEPT = 1 << 30
"""Bytes of a file that is kept."""
Stamp = tuple[int, int, int]
K = TypeVar("K")


class Past(Struct, array_like=True):
    """Documents of the past by key, each with the stamp of its file."""

    documents: dict[str, tuple[Stamp, Any]]


class Part(Struct, array_like=True):
    """Entries of a full part of a journal; the next entry names `digest`, and the last one was then number `seen`."""

    digest: str
    seen: int
    entries: list[Any]


class GameReader:
    """What was read of a game; `folder` keeps it for the next process, None does not."""

    def __init__(self, folder: Path | None = None) -> None:
        self._files = CloneFiles.around(folder) if folder else None
        self._past: dict[str, tuple[Stamp, Any]] | None = None
        self._entries: list[Entry] = []
        self._head: Document = {}

    def documents(self, session: Session) -> dict[str, Document]:
        """Return the documents of a game that pages show, those of today and of the past."""
        record = session.record
        known = self._kept_past() if self._past is None else self._past
        now, read = dict[str, tuple[Stamp, Any]](), dict[str, Document]()
        with record.reading():  # once for all
            for key in record.archived_keys():
                if key.startswith("acts/"):
                    continue
                stamp, noted = _stamp(record, key), known.get(key)
                if noted is None or stamp is None or noted[0] != stamp:
                    found = record.archive(key)
                    if found is None:
                        continue
                    read[key] = found
                    noted = (stamp or (0, 0, 0), found)
                now[key] = noted
        if read or len(now) != len(known):
            self._keep("past", Past({key: each for key, each in now.items() if each[0] != (0, 0, 0)}))
        self._past = now
        return {**{key: found for key, (_stamp, found) in now.items()}, **session.documents}

    def entries(self, session: Session) -> tuple[Entry, ...]:
        """Return the entries of a game's journal."""
        record, head = session.record, dict(session.documents.get("head") or {})
        last, known = int(head.get("seq") or 0), int(self._head.get("seq") or 0)
        new = [*record.entries(known + 1)] if known and last > known else []
        follows = new[0]["prev"] == self._head["digest"] if new else head == self._head
        if not known or not follows or any(entry.get("do") == "redact" for entry in new):
            self._entries = self._read(record, last)
        else:
            self._entries += new
        self._head = head
        return tuple(self._entries)

    def _read(self, record: GameRecord, last: int) -> list[Entry]:
        """Read the journal: what is no full part from its files, then, backwards, the parts that are kept or not."""
        full = max(last - 1, 0) // IN_A_PART
        entries = _read(record, full * IN_A_PART + 1)
        redacted = max((int(entry["seq"]) for entry in entries if entry.get("do") == "redact"), default=0)
        for number in range(full - 1, -1, -1):
            digest = str(entries[0]["prev"]) if entries else ""
            part = self._kept(_part_name(number), Part)
            if part is None or part.digest != digest or part.seen < redacted or len(part.entries) != IN_A_PART:
                found = _read(record, number * IN_A_PART + 1, (number + 1) * IN_A_PART)
                part = Part(digest, last, _compact(found))
                self._keep(_part_name(number), part)
            redacted = max([redacted, *(int(each["seq"]) for each in part.entries if each.get("do") == "redact")])
            entries[:0] = part.entries
        return entries

    def _kept_past(self) -> dict[str, tuple[Stamp, Any]]:
        found = self._kept("past", Past)
        return found.documents if found else {}

    def _kept(self, name: str, kind: type[K]) -> K | None:
        if self._files is None:
            return None
        try:
            return decode(self._files.read(name, MOST_KEPT) or b"", type=kind)
        except (OSError, msgspec.MsgspecError, ValueError, RecursionError):
            return None

    def _keep(self, name: str, what: Struct) -> None:
        if self._files is None:
            return
        try:
            self._files.write(name, encode(what))
        except (OverflowError, TypeError, ValueError, RecursionError):  # numbers beyond 64 bits, half characters
            self._files.remove(name)


def _read(record: GameRecord, first: int, last: int | None = None) -> list[Entry]:
    with record.reading():
        return [*record.entries(first, last)]


def _part_name(number: int) -> str:
    return f"journal-{number:06}"


def _compact(value: Any) -> Any:
    """Return the same value with equal keys of its maps as one object, which takes far less room; itself if need be."""
    try:
        return decode(encode(value))
    except (OverflowError, TypeError, ValueError, RecursionError):  # as above
        return value


def _stamp(record: GameRecord, key: str) -> Stamp | None:
    """Return what changes when the file of a document is written; None where there is no such file."""
    if not isinstance(record, GameFolder):
        return None
    try:
        found = os.stat(f"{record.path}/{document_name(key)}")  # noqa: PTH116 (asked of every document of a game)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


# -- no search for garbage meanwhile

TIMES = 50
"""How often what was made is taken for old before everything is looked at: a site may be served for weeks."""
_times = count(1)


@contextmanager
def uncollected() -> Iterator[None]:
    """Let nobody look for garbage in cycles for a while: pages make next to none, and a long game is much to look at.

    What was made meanwhile then counts as old, at which Python looks no more, also not at its end; so everything is
    looked at here now and then.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            _take_for_old()
            gc.enable()


def _take_for_old() -> None:
    """Take all there is for old, without a look at it but now and then."""
    if next(_times) % TIMES == 0:
        gc.unfreeze()
        gc.collect()
    gc.freeze()
