"""A game as the pages see it: documents, journal and what its rules answered, all of it data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any, TypeVar, cast

from msgspec import Struct, field

from folkmoot.core import calendar
from folkmoot.core.ballot_display import is_displayed, is_kept_back
from folkmoot.core.calendar import read_stamp, write_stamp
from folkmoot.core.declared_kinds import OWNERS, PLAYER, PROPOSAL, declared_in, owners_of, votable_kinds
from folkmoot.core.documents import OF_A_REVISION, Document, Proposal, Roster
from folkmoot.core.keys import ROSTER, Kept, Key, number_key
from folkmoot.core.problems import ProblemError
from folkmoot.core.records import Effect, Entry
from folkmoot.core.rule_blocks import KindSpec, OutcomeSpec, RegisterSpec
from folkmoot.kernel.names import called, outlines_of
from folkmoot.wording.markup import Html

Plain = Any
K = TypeVar("K")
T = TypeVar("T")
V = TypeVar("V")

OF_CLOCKS = frozenset({"event", "timer", "cancel", "settle"})
"""Effects by which rules tell time among themselves."""
KERNEL_KINDS = frozenset({"game", "player", "rule", "office", "timer", "duty", "held"})


class ShownPage(Struct, frozen=True, kw_only=True):
    """A page that a rule shows: its name (of `show_<name>`), title, the rule's uid and its blocks."""

    name: str
    title: str
    rule: str
    blocks: Sequence[Document]
    failure: str = ""


class GameView(Struct, frozen=True, kw_only=True, dict=True):
    """Everything the pages of one game are made of.

    `documents` holds the game's documents by key, the archived ones (`history/…`, resolved proposals) too; `entries`
    the journal in order; `order` the uids of the rules in force in order of precedence; `shown` the pages of rules;
    `answers` what rules answer now to questions that pages show (`mover` → player). `branch` is the one that
    is played on, `alone` says that the repository holds no other game, and `address` is that of the site, if known.
    """

    slug: str
    documents: Mapping[str, Document]
    entries: Sequence[Entry] = ()
    order: Sequence[str] = ()
    shown: Sequence[ShownPage] = ()
    answers: Mapping[str, Plain] = field(default_factory=dict)
    branch: str = "main"
    alone: bool = True
    address: str = ""

    def index(self, make: Callable[[GameView], Mapping[K, V]]) -> Mapping[K, V]:
        """Return what `make` finds in the game by key, made once; a page that looks up a key depends on that alone."""
        if make not in self.indices:
            self.indices[make] = make(self)
        return self.indices[make]

    @cached_property
    def indices(self) -> dict[Callable[[GameView], Mapping[Any, Any]], Mapping[Any, Any]]:
        """What was looked up so far, by what makes it."""
        return {}

    @cached_property
    def links(self) -> dict[tuple[type, str, str, str], Html]:
        """Links that were made so far, by the folder from which they are seen, and what they lead to."""
        return {}

    def site_address(self, path: str) -> str:
        """Return the address of a page or file of the game on its site; relative to the game's own folder without one.

        >>> GameView(slug="tea", documents={}, address="https://a.example/").site_address("index.html")
        'https://a.example/tea/index.html'
        """
        return f"{self.address.rstrip('/')}/{self.slug}/{path}" if self.address else path

    @cached_property
    def founding(self) -> str:
        """What tells this game from all others: the digest that the entry after its founding names, else its name."""
        later = (entry.get("prev") for entry in self.entries if entry.get("seq") == 2)
        return next(later, None) or self.slug

    def document(self, key: str) -> Document:
        """Return a document, an empty one where there is none."""
        return self.documents.get(key) or {}

    def kept(self, key: Key[Kept]) -> Kept:
        """Return a document of a known type, an empty one where there is none."""
        return cast(Kept, self.document(key))

    @property
    def title(self) -> str:
        """The game's title, or its folder's name."""
        return str(self.document("game").get("title") or self.slug)

    @cached_property
    def outlines(self) -> dict[str, set[str]]:
        """Who is known by names of an outline, so that nobody is shown under what looks like somebody else's."""
        return outlines_of(self.kept(ROSTER))

    @cached_property
    def zone(self) -> str:
        """The game's time zone."""
        return str(self.document("game").get("zone") or "UTC")

    @cached_property
    def law(self) -> dict[str, Document]:
        """What is known of every rule that is or was, by uid."""
        return dict(self.document("law").get("rules") or {})

    @cached_property
    def ranked(self) -> list[str]:
        """The uids of the rules in force, highest precedence first; those without a known rank last."""
        in_force = {uid for uid, meta in self.law.items() if meta.get("in_force")}
        known = [uid for uid in self.order if uid in in_force]
        return known + sorted(in_force - set(known), key=lambda uid: natural(self.number(uid)))

    @cached_property
    def repealed(self) -> list[str]:
        """The uids of the rules no longer in force, by number."""
        gone = [uid for uid, meta in self.law.items() if not meta.get("in_force")]
        return sorted(gone, key=lambda uid: natural(self.number(uid)))

    def rule(self, uid: str) -> Document:
        """Return a rule as it is, or as it last was."""
        return self.wordings(uid)[-1] if self.wordings(uid) else {}

    def number(self, uid: str) -> str:
        """Return the number that players use for a rule."""
        meta = self.law.get(uid) or {}
        return str(meta.get("number") or uid)

    def rule_title(self, uid: str) -> str:
        """Return the title of a rule as it is, or as it last was."""
        return str(self.rule(uid).get("title") or "")

    def former_numbers(self, uid: str) -> list[str]:
        """Return the numbers a rule had before the present one, oldest first."""
        noted = [str(number) for number in (self.law.get(uid) or {}).get("former_numbers") or ()]
        worn = [str(r["rule"]) for r in self.revisions(uid) if r.get("rule")]
        return [number for number in dict.fromkeys([*noted, *worn]) if number != self.number(uid)]

    def revisions(self, uid: str) -> list[Document]:
        """Return every revision of a rule, oldest first, the present one (or the mark of its repeal) last."""
        if uid not in self._revisions:
            past = list(self.document(f"history/{uid}").get("revisions") or ())
            now, meta = self.documents.get(f"rules/{uid}"), self.law.get(uid) or {}
            if now and meta.get("in_force", True):
                past.append({**now, **{key: meta.get(key) for key in OF_A_REVISION}})
            self._revisions[uid] = past
        return self._revisions[uid]

    def wordings(self, uid: str) -> list[Document]:
        """Return the revisions of a rule that have a text, oldest first: all but the marks of repeals."""
        if uid not in self._wordings:
            self._wordings[uid] = [r for r in self.revisions(uid) if not r.get("repealed")]
        return self._wordings[uid]

    @cached_property
    def _revisions(self) -> dict[str, list[Document]]:
        return {}

    @cached_property
    def _wordings(self) -> dict[str, list[Document]]:
        return {}

    def text_before(self, uid: str, seq: int | None) -> Document:
        """Return the revision of a rule in force before the journal's entry `seq`; None means now."""
        wordings = self.wordings(uid)
        earlier = [r for r in wordings if seq is None or (r.get("seq") or 0) < seq]
        return (earlier or wordings[:1] or [{}])[-1]

    @cached_property
    def uids(self) -> dict[str, str]:
        """Every uid by uid and by number, present numbers before former ones."""
        found: dict[str, str] = {}
        for uid in self.law:
            for number in self.former_numbers(uid):
                found.setdefault(number, uid)
        found |= {self.number(uid): uid for uid in self.ranked}
        return found | {uid: uid for uid in self.law if uid not in found}

    @cached_property
    def players(self) -> Roster:
        """The roster by id, in order of joining."""
        return dict(self.kept(ROSTER))

    @cached_property
    def present(self) -> list[str]:
        """The ids of those who play now."""
        return [player for player, entry in self.players.items() if entry.get("until") is None]

    def name(self, player: str) -> str:
        """Return how a player is called: name and surname, or the id where no name is known."""
        known = self.players.get(player)
        return called(player, known) if known else player

    def registers(self, kind: str, identifier: str) -> Document:
        """Return the registers of a thing."""
        return dict(self.document(f"things/{kind}").get(identifier) or {})

    @cached_property
    def things(self) -> dict[str, tuple[str, Document]]:
        """Every thing by id, with its kind and registers; the kernel's own kinds are left out."""
        found: dict[str, tuple[str, Document]] = {}
        for key, document in self.documents.items():
            if key.startswith("things/") and (kind := key.removeprefix("things/")) not in KERNEL_KINDS:
                found |= {identifier: (kind, registers or {}) for identifier, registers in document.items()}
        return found

    def declared(self, block: str) -> dict[str, tuple[str, Document]]:
        """Return what rules in force declare (`defines.currencies`, `settings`), by name, with the rule's uid."""
        if block not in self._declared:
            rules = ((uid, self.documents.get(f"rules/{uid}") or {}) for uid in self.ranked)
            found = declared_in(rules, *block.split("."))
            self._declared[block] = {name: (uid, declaration or {}) for name, (uid, declaration) in found.items()}
        return self._declared[block]

    @cached_property
    def _declared(self) -> dict[str, dict[str, tuple[str, Document]]]:
        return {}

    @cached_property
    def currencies(self) -> dict[str, RegisterSpec]:
        """Every currency of players by name, with its declaration, the first declared first."""
        declared = self.declared("defines.currencies")
        found = {name: cast(RegisterSpec, about) for name, (_uid, about) in declared.items()}
        return {name: about for name, about in found.items() if PLAYER in owners_of(about)}

    @property
    def told_currencies(self) -> list[str]:
        """The currencies by which players rank; all, where rules declare every one as bookkeeping."""
        return [name for name, about in self.currencies.items() if not about.get("bookkeeping")] or [*self.currencies]

    @property
    def bookkept_currencies(self) -> list[str]:
        """The other currencies."""
        return [name for name in self.currencies if name not in self.told_currencies]

    def is_bookkeeping(self, effect: Document) -> bool:
        """Whether an effect changed a register that is told nowhere where people look first."""
        if effect.get("effect") not in ("put", "append"):
            return False
        about = self.declared(self._block_of(str(effect.get("of")))).get(str(effect.get("name")))
        return about is not None and bool(about[1].get("bookkeeping"))

    def is_silent(self, entry: Entry) -> bool:
        """Whether an entry is of the clock alone, and changed nothing that is told where people look first."""
        by_clock = entry.get("do") in ("tick", "clock") and not entry.get("by") and not entry.get("failures")
        effects = entry.get("effects") or ()
        return by_clock and all(each["effect"] in OF_CLOCKS or self.is_bookkeeping(dict(each)) for each in effects)

    def _block_of(self, owner: str) -> str:
        """Return in which block of rules the registers of an owner are declared."""
        if owner == "game" or owner in self.players:
            return "defines.game" if owner == "game" else "defines.player"
        of = owner.partition("/")[0]
        if of in ("proposal", *self.kinds):
            return "defines.proposal"
        if of != owner and of in OWNERS:
            return f"defines.{of}"
        return f"defines.kinds.{self.things.get(owner, ('',))[0]}.registers"

    @cached_property
    def outcomes(self) -> dict[str, OutcomeSpec]:
        """What can become of proposals beside what the engine knows, by the rules in force."""
        return {name: cast(OutcomeSpec, about) for name, (_uid, about) in self.declared("defines.outcomes").items()}

    @cached_property
    def proposals(self) -> dict[str, Proposal]:
        """Proposals and motions by id, the newest first."""
        found = {str(d.get("id") or key): cast(Proposal, d) for key, d in self.documents.items() if is_proposal(d)}
        return dict(sorted(found.items(), key=lambda pair: newest(pair[1])))

    @cached_property
    def kinds(self) -> list[str]:
        """Kinds of votable things that exist, proposals first."""
        return kinds_of(self.proposals.values())

    @cached_property
    def votable(self) -> list[str]:
        """The kinds of what is voted on by the rules in force, proposals first."""
        return votable_kinds(self.declared_kinds())

    def declared_kinds(self) -> dict[str, KindSpec]:
        """Return the kinds of things that rules declare, by name."""
        return {kind: cast(KindSpec, about) for kind, (_uid, about) in self.declared("defines.kinds").items()}

    @cached_property
    def resolved_by(self) -> dict[str, Entry]:
        """The journal's entry that resolved a proposal, by the proposal's id."""
        return {str(effect.get("of")): entry for entry, effect in self.effects("resolve")}

    @cached_property
    def ledger(self) -> list[Line]:
        """Every change of a currency, oldest first."""
        return self.ledger_of(self.entries)

    def ledger_of(self, entries: Iterable[Entry]) -> list[Line]:
        """Return every change of a currency in entries."""
        return list(lines(effects_in(entries), self.currencies, lambda entry: seconds(entry.get("at"))))

    def displays(self, proposal: str) -> bool:
        """Whether choices and reasons of the ballots on a proposal are displayed."""
        return is_displayed(self.proposals.get(proposal))

    def keeps_back(self, entry: Entry) -> bool:
        """Whether an entry holds a ballot that is not displayed yet."""
        return is_kept_back(entry, self.unresolved)

    @cached_property
    def unresolved(self) -> dict[str, Proposal]:
        """Proposals and motions that are not resolved, by id."""
        return {name: found for name, found in self.proposals.items() if not found.get("outcome")}

    @cached_property
    def now(self) -> int | None:
        """The time of the last entry in Unix seconds."""
        last = self.document("head").get("at") or (self.entries[-1].get("at") if self.entries else None)
        return seconds(last)

    @cached_property
    def year(self) -> int:
        """The year of the last entry in the game's zone, 0 where nobody knows."""
        with suppress(ProblemError, OverflowError, OSError, ValueError):
            return datetime.fromtimestamp(self.now, calendar.zone(self.zone)).year if self.now is not None else 0
        return 0

    @cached_property
    def duties_settled(self) -> dict[tuple[int, str], str]:
        """What was done where duties were struck out, by the entry's number and the duty's key."""
        return duties_settled(self.entries)

    @cached_property
    def _register_types(self) -> dict[str, str]:
        kinds = [about.get("registers") or {} for _, about in self.declared("defines.kinds").values()]
        blocks = (self.declared(f"defines.{owner}") for owner in OWNERS)
        registers = [{name: about for name, (_, about) in block.items()} for block in blocks]
        return {name: str(about.get("type")) for part in [*kinds, *registers] for name, about in part.items()}

    def register_type(self, name: str) -> str:
        """Return the declared type of a register by its name, empty where no rule in force declares it."""
        return self._register_types.get(name, "")

    def effects(self, *kinds: str) -> Iterator[tuple[Entry, Effect]]:
        """Return every effect of these kinds with its entry, oldest first."""
        return effects_in(self.entries, *kinds)


def is_proposal(document: Document) -> bool:
    """Say whether a document is a proposal or motion."""
    return "changes" in document and "ballots" in document


def kinds_of(proposals: Iterable[Proposal], *others: str) -> list[str]:
    """Return the kinds of votable things and `others`, each once, proposals first."""
    kinds = {PROPOSAL, *others, *(str(each.get("kind") or PROPOSAL) for each in proposals)}
    return sorted(kinds, key=lambda kind: (kind != PROPOSAL, kind))


def natural(text: Plain) -> tuple[tuple[int, int, str], ...]:
    """Return a key that sorts numbers inside text as numbers: 9 before 10.

    >>> sorted(["10", "9", "8-2"], key=natural)
    ['8-2', '9', '10']
    """
    return number_key(str(text)[:200])


def newest(proposal: Proposal) -> tuple[bool, int, int, str]:
    """Return a key that sorts proposals, the newest first."""
    number, at = proposal.get("number"), seconds(proposal.get("submitted_at")) or 0
    by_number = -number if isinstance(number, int) else 0
    return (number is not None, by_number, -at, str(proposal.get("id")))


# -- what is looked up in a journal


def duties_settled(entries: Iterable[Entry]) -> dict[tuple[int, str], str]:
    """Return what was done where a duty was struck out, by the entry's number and the duty's key."""
    owed, settled = dict[str, str](), dict[tuple[int, str], str]()
    for entry, effect in effects_in(entries, "owe", "settle"):
        if effect.get("effect") == "owe":
            what, key = str(effect.get("what")), effect.get("key")
            for player in effect.get("players") or ():
                owed[f"{key}/{player}" if key else f"{player}:{what}"] = what
            owed[str(key)] = what
        else:
            key = str(effect.get("of"))
            settled[int(entry.get("seq") or 0), key] = owed.get(key, key)
    return settled


def was_refused(entry: Entry) -> bool:
    """Whether an act was refused: it has a code, and is not held back."""
    return bool(entry.get("by")) and entry.get("code", "HELD") != "HELD"


def effects_in(entries: Iterable[Entry], *kinds: str) -> Iterator[tuple[Entry, Effect]]:
    """Yield every effect of these kinds (of all without any) in entries, with its entry."""
    for entry in entries:
        for effect in entry.get("effects") or ():
            if not kinds or effect.get("effect") in kinds:
                yield entry, effect


class Line(Struct, frozen=True):
    """One change of what an owner has of a currency; `asked` is the amount before rules adjusted it."""

    seq: int
    at: int | None
    owner: str
    currency: str
    applied: int
    balance: int
    asked: int | None = None
    rule: str = ""
    why: str = ""
    kind: str = ""
    credit: str = ""
    before: int = 0


def lines(effects: Iterable[tuple[Document, Document]], currencies: Iterable[str], at: Any) -> Iterator[Line]:
    """Return the ledger from (entry, effect) pairs in order; `at(entry)` gives an entry's time in Unix seconds."""
    known = set(currencies)
    for entry, effect in effects:
        name, before, after = str(effect.get("name") or ""), effect.get("from"), effect.get("to")
        counts = isinstance(before, int) and isinstance(after, int)
        if effect.get("effect") == "award" or (name in known and counts):
            before, after, applied = int(before or 0), int(after or 0), effect.get("applied")
            yield Line(
                seq=int(entry.get("seq") or 0),
                at=at(entry),
                owner=str(effect.get("of") or ""),
                currency=name,
                applied=applied if isinstance(applied, int) else after - before,
                balance=after,
                asked=effect.get("asked"),
                rule=str(effect.get("rule") or ""),
                why=str(effect.get("why") or ""),
                kind=str(effect.get("kind") or ""),
                credit=str(effect.get("credit") or ""),
                before=before,
            )


def in_parts(several: Sequence[T], size: int) -> dict[int, Sequence[T]]:
    """Return a sequence in parts of a size by their numbers from 0 on; the last may be shorter.

    >>> in_parts("abcde", 2)
    {0: 'ab', 1: 'cd', 2: 'e'}
    """
    return {at // size: several[at : at + size] for at in range(0, len(several), size)}


def ledger_at(view: GameView) -> dict[int, list[Line]]:
    """Return the lines of the ledger by the entry that they stand in."""
    return lists_by_key((line.seq, line) for line in view.ledger)


def lines_of(view: GameView) -> dict[str, list[Line]]:
    """Return the lines of the ledger that concern each owner."""
    return lists_by_key((line.owner, line) for line in view.ledger)


def lists_by_key(pairs: Iterable[tuple[K, T]]) -> dict[K, list[T]]:
    """Return values in lists by their keys.

    >>> lists_by_key([("a", 1), ("b", 2), ("a", 3)])
    {'a': [1, 3], 'b': [2]}
    """
    found: dict[K, list[T]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def ranks(view: GameView) -> dict[str, int]:
    """Return the rank of each rule in force, 1 for the one that takes precedence of all."""
    return {uid: rank for rank, uid in enumerate(view.ranked, 1)}


def seconds(at: object) -> int | None:
    """Return a time (Unix seconds, or a stamp such as 2026-01-05T12:00:00Z) in Unix seconds, None where it is neither.

    >>> seconds("2026-01-05T12:00:00Z")
    1767614400
    """
    return at if isinstance(at, int) and not isinstance(at, bool) else _seconds_of(str(at))


@lru_cache(maxsize=20_000)
def _seconds_of(stamp: str) -> int | None:
    with suppress(ProblemError):
        return read_stamp(stamp)
    return None


def stamp(at: object) -> str | None:
    """Return a time (Unix seconds, or a stamp) as a stamp in UTC, None where it is neither.

    >>> stamp(1767614400)
    '2026-01-05T12:00:00Z'
    """
    known = seconds(at)
    return None if known is None else write_stamp(known)
