"""What was made of a game before and may stay: every page with the facts that it shows, every fact with its digest.

A page is made again where one of its facts is not what it was, and where it is new. What was kept by another engine, or
cannot be read, is as good as nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache, partial
from hashlib import blake2b
from importlib.metadata import version
from itertools import filterfalse
from operator import is_
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

import folkmoot
from folkmoot.core.clone_files import CloneFiles
from folkmoot.site.changed_facts import SIMPLE, Facts, digest_of
from folkmoot.site.chrome import part_of
from folkmoot.site.own_templates import OwnTemplates
from folkmoot.site.page_model import Broken, Page, Pages, Sheet, drawn_page, made, page_digest
from folkmoot.site.tracked_view import ALWAYS, Fact, let_go, value_of, watched
from folkmoot.wording.game_view import GameView
from folkmoot.wording.incremental_view import go_on
from folkmoot.wording.translation import _

MAKERS = (
    "folkmoot",
    "jinja2",
    "minijinja",
    "markdown-it-py",
    "mdit-py-plugins",
    "nh3",
    "pygments",
    "icalendar",
    "feedgenerator",
    "tzdata",
)


class Noted(msgspec.Struct, array_like=True):
    """What is kept of a page or of files: the digest of what was made, and the numbers of the facts that are shown."""

    digest: bytes
    facts: list[int]


class Notes(msgspec.Struct):
    """What is kept of a game from run to run."""

    look: bytes
    facts: list[Fact]
    values: list[bytes]
    made: dict[str, Noted]


class Told(msgspec.Struct):
    """What one process tells another of pages: what is noted of them, and those that could not be made."""

    notes: Notes
    broken: dict[str, str]


class Leaf(Struct):
    """A page of a game as it is published: its path, the digest of what it says, and the page, made if need be."""

    path: str
    digest: bytes
    page: Callable[[], Page]


class Bundle(Struct):
    """Files of a game that are no pages and come of one maker: their paths and digest, and their texts if made anew."""

    name: str
    digest: bytes
    files: Callable[[], Mapping[str, str]]
    texts: Mapping[str, str] | None = None

    def under(self, place: str) -> dict[str, bytes]:
        """Return the bytes of the files by their paths with `place` before them."""
        texts = self.texts if self.texts is not None else self.files()
        return {f"{place}{path}": text.encode() for path, text in texts.items()}


class PageCache(Struct):
    """What was made of a game; `file` is where that is kept from run to run, None for nowhere."""

    file: Path | None = None
    view: GameView | None = None
    """The game as it was when the facts were looked at the last time."""
    broken: dict[str, str] = field(default_factory=dict)
    """What could not be made in the last run, by path, with the kind of error."""
    _facts: Facts = field(default_factory=Facts)
    _values: dict[int, bytes] = field(default_factory=dict)
    _made: dict[str, Noted] = field(default_factory=dict)
    _users: dict[int, set[str]] | None = None
    """What was made of each fact, found when it is asked for the first time."""
    _looked: set[str] = field(default_factory=set)
    _following: tuple[GameView, set[str]] | None = None
    runs: int = 0
    """How many runs were begun."""
    _ended: Collection[str] | None = None
    """The pages of which the last run made all; None while one goes on, and where it was cut short."""
    _before: Collection[str] | None = None
    _forgotten: set[str] = field(default_factory=set)
    _bundled: set[str] = field(default_factory=set)
    """What of the last run was no page."""
    pages: Pages | None = None
    """The pages that the game had when they were listed the last time."""
    _look: bytes = b""
    _restyling: OwnTemplates | None = None

    def __post_init__(self) -> None:
        """Read what was kept."""
        notes = _read(self.file) if self.file else None
        if notes is not None:
            self._look = notes.look
            self._take(notes)

    def follow(self, view: GameView) -> set[str]:
        """Let a game as it is now take over what was known of it, before anything is asked of it.

        Return the keys of the documents that changed.
        """
        if self.view is None or self.view is view:
            return set()
        if self._following is None or self._following[0] is not view:
            self._following = view, go_on(view, self.view)
        return self._following[1]

    def begin(self, view: GameView, restyling: OwnTemplates | None = None) -> None:
        """Go on with a game as it is now, and a site's own templates: what shows a fact that changed is forgotten."""
        self.runs += 1
        self._before, self._ended = self._ended, None
        self._restyling, look = restyling, engine() + (restyling.digest() if restyling else b"")
        if look != self._look:
            self._facts, self._values, self._made, self._users, self._look = Facts(), {}, {}, None, look
            self._before = None
        changed = self._changed(view)
        self._forgotten = self._made_of(changed)
        for name in self._forgotten:
            self._forget(name)
        for number in changed:
            self._values.pop(number, None)
        self._bundled = self._looked
        self.view, self.broken, self._looked, self._following = view, {}, set(), None

    def leaf(self, sheet: Sheet) -> Leaf:
        """Return a page of the game that was begun with, made only where it must be."""
        view = self._begun()
        noted = self._made.get(sheet.path)
        if noted is not None:
            return Leaf(sheet.path, noted.digest, partial(self._made_again, view, sheet))
        watching, facts = watched(view)
        try:
            page = self._styled(watching, sheet)
            digest = page_digest(page)
        except Exception as error:  # noqa: BLE001 (one page that cannot be drawn keeps no other from being published)
            page = self._broken(view, sheet, error)
            digest = page_digest(page)
            facts[ALWAYS] = None
        if self._restyling and (view.slug, sheet.path) in self._restyling.failed:
            facts[ALWAYS] = None
        let_go(watching)
        self._note(sheet.path, Noted(digest, self._numbers(facts)))
        return Leaf(sheet.path, digest, lambda: page)

    def bundle(self, name: str, make: Callable[[GameView], Mapping[str, str]]) -> Bundle:
        """Return files of the game that was begun with, made only where they must be; none where `make` fails."""
        view = self._begun()
        self._looked.add(f"{name}/")
        noted = self._made.get(f"{name}/")
        if noted is not None:
            return Bundle(name, noted.digest, partial(make, view))
        watching, facts = watched(view)
        try:
            texts = make(watching)
        except Exception as error:  # noqa: BLE001 (files that cannot be made keep no page from being published)
            self.broken[f"{name} (files)"] = type(error).__name__
            facts[ALWAYS], texts = None, {}
        let_go(watching)
        digest = digest_of(dict(texts))
        self._note(f"{name}/", Noted(digest, self._numbers(facts)))
        return Bundle(name, digest, partial(make, view), texts)

    def lacking(self, paths: Collection[str]) -> list[str]:
        """Return those of some pages that are new, or not as they were made the last time."""
        if paths is self._before:  # the same collection as in the last run: only what was forgotten can lack
            return sorted(name for name in self._forgotten if name in paths)
        return [*filterfalse(self._made.__contains__, paths)]

    def end(self, paths: Collection[str]) -> None:
        """Forget what the game has no longer; `paths` are those of its pages."""
        made = self._bundled if paths is self._before else self._made
        for name in [*filterfalse(paths.__contains__, made)]:
            if name not in self._looked:
                self._forget(name)
        self._ended = paths

    def save(self) -> None:
        """Write what the next run begins with."""
        if self.file is None or self.view is None:
            return
        CloneFiles.around(self.file.parent).write(self.file.name, msgspec.msgpack.encode(self._notes(self._made)))

    def told(self, names: Iterable[str]) -> Told:
        """Return what is noted of some pages, for this in another process (see `hear`)."""
        broken = {name: self.broken[name] for name in names if name in self.broken}
        return Told(self._notes({name: self._made[name] for name in names}), broken)

    def hear(self, told: Told) -> None:
        """Note what was noted of pages in a copy of this process."""
        self._take(told.notes)
        self.broken |= told.broken

    def _notes(self, made: Mapping[str, Noted]) -> Notes:
        """Return what is noted of some pages."""
        used = sorted({number for noted in made.values() for number in noted.facts})
        renumbered = {number: place for place, number in enumerate(used)}
        facts = [self._facts.fact(number) for number in used]
        values = [self._value(number, fact) for number, fact in zip(used, facts, strict=True)]
        told = {name: Noted(each.digest, [renumbered[n] for n in each.facts]) for name, each in made.items()}
        return Notes(self._look, facts, values, told)

    def _take(self, notes: Notes) -> None:
        """Note what is noted elsewhere."""
        numbers = self._numbers(notes.facts)
        self._values.update(zip(numbers, notes.values, strict=True))
        for name, noted in notes.made.items():
            self._note(name, Noted(noted.digest, [numbers[n] for n in noted.facts]))

    def _made_again(self, view: GameView, sheet: Sheet) -> Page:
        return self._styled(view, sheet)

    def _styled(self, view: GameView, sheet: Sheet) -> Page:
        """Return a page as the templates of its kind have it, the site's own before the packaged ones."""
        return made(view, sheet, self._restyling)

    def _begun(self) -> GameView:
        assert self.view is not None, "begin comes first"
        return self.view

    def _changed(self, view: GameView) -> list[int]:
        """Return the numbers of the facts that are not what they were."""
        if self.view is not None:
            return list(self._facts.changed(self.view, view, self.follow(view), _same))
        known = ((self._facts.number(fact), _digest_in(view, fact)) for fact in self._facts)
        return [number for number, value in known if not value or value != self._values[number]]

    def _value(self, number: int, fact: Fact) -> bytes:
        if number not in self._values:
            self._values[number] = _digest_in(self._begun(), fact)
        return self._values[number]

    def _numbers(self, facts: Iterable[Fact]) -> list[int]:
        return [self._facts.number(fact) for fact in facts]

    def _note(self, name: str, noted: Noted) -> None:
        self._made[name] = noted
        if self._users is not None:
            for number in noted.facts:
                self._users.setdefault(number, set()).add(name)

    def _made_of(self, facts: Collection[int]) -> set[str]:
        """Return what was made of any of some facts."""
        if facts and self._users is None:
            self._users = {}
            for name, noted in self._made.items():
                self._note(name, noted)
        return {name for number in facts for name in (self._users or {}).get(number, ())}

    def _forget(self, name: str) -> None:
        noted = self._made.pop(name)
        if self._users is None:
            return
        for number in noted.facts:
            users = self._users[number]
            users.discard(name)
            if not users:
                del self._users[number]

    def _broken(self, view: GameView, sheet: Sheet, error: Exception) -> Page:
        """Return a page that says that this one could not be made."""
        self.broken[sheet.path] = type(error).__name__
        part = part_of(sheet.path)
        data = Broken(path=sheet.path, title=_("This page could not be made"), part=part, error=type(error).__name__)
        return drawn_page(view, data)


def _same(old: Any, new: Any) -> bool:
    """Say whether a fact is what it was; of two that cannot be compared, no."""
    if old is new:
        return True
    if type(old) is not type(new):
        return False
    if type(old) in SIMPLE:
        return bool(old == new)
    if isinstance(old, list | tuple):
        return len(old) == len(new) and (all(map(is_, old, new)) or all(map(_same, old, new)))
    if isinstance(old, dict):
        return len(old) == len(new) and all(map(_same, old, new)) and all(map(_same, old.values(), new.values()))
    return digest_of(old) == digest_of(new)


def _digest_in(view: GameView, fact: Fact) -> bytes:
    """Return the digest of a fact; nothing where a view cannot say it, or where it is never what it was."""
    if fact == ALWAYS:
        return b""
    try:
        return digest_of(value_of(view, fact))
    except Exception:  # noqa: BLE001 (see `_same`)
        return b""


@cache
def engine() -> bytes:
    """Return the digest of all that makes pages: the engine's own sources and the libraries behind it."""
    package = Path(folkmoot.__file__).parent
    said = blake2b("\n".join(f"{name} {version(name)}" for name in MAKERS).encode(), digest_size=16)
    for path in sorted(path for ending in ("*.py", "*.yaml", "*.html") for path in package.rglob(ending)):
        said.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    return said.digest()


def _read(file: Path) -> Notes | None:
    try:
        return msgspec.msgpack.decode(CloneFiles.around(file.parent).read(file.name) or b"", type=Notes)
    except (OSError, msgspec.MsgspecError, ValueError):
        return None
