"""A game as the pages see it: documents, journal and what its rules answered, all of it data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from folkmoot.core.ballot_display import is_displayed, is_kept_back
from folkmoot.core.calendar import read_stamp
from folkmoot.core.declared_kinds import PLAYER, PROPOSAL, owners_of, votable_kinds
from folkmoot.core.documents import Document
from folkmoot.core.keys import number_key
from folkmoot.core.problems import ProblemError
from folkmoot.kernel.declared_blocks import declared_in
from folkmoot.kernel.names import called, outlines_of
from folkmoot.wording.ledger import Line, lines

Plain = Any
Entry = Document  # of the journal, as it is shown: what is kept back is left out

KERNEL_KINDS = frozenset({"game", "player", "rule", "office", "timer", "duty", "held"})


@dataclass(frozen=True, kw_only=True)
class ShownPage:
    """A page that a rule shows: its name (of `show_<name>`), title, the rule's uid and its blocks."""

    name: str
    title: str
    rule: str
    blocks: Sequence[Document]
    failure: str = ""


@dataclass(frozen=True, kw_only=True)
class GameView:
    """Everything the pages of one game are made of.

    `documents` holds the game's documents by key, the archived ones (`history/…`, resolved proposals) too; `entries`
    the journal in order; `order` the uids of the rules in force in order of precedence; `shown` the pages of rules;
    `answers` what rules answer now to questions that the dashboard shows (`mover` → player). `branch` is the one that
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

    def site_address(self, path: str) -> str:
        """Return the address of a page or file of the game on its site; relative to the game's own folder without one.

        >>> GameView(slug="tea", documents={}, address="https://a.example/").site_address("index.html")
        'https://a.example/tea/index.html'
        """
        return f"{self.address.rstrip('/')}/{self.slug}/{path}" if self.address else path

    @cached_property
    def founding(self) -> str:
        """What tells this game from all others: the digest that the entry after its founding names, else its name."""
        later = next((entry for entry in self.entries if entry.get("seq") == 2), {})
        return str(later.get("prev") or self.slug)

    def document(self, key: str) -> Document:
        """Return a document, an empty one where there is none."""
        return self.documents.get(key) or {}

    @property
    def title(self) -> str:
        """The game's title, or its folder's name."""
        return str(self.document("game").get("title") or self.slug)

    @cached_property
    def outlines(self) -> dict[str, set[str]]:
        """Who is known by names of an outline, so that nobody is shown under what looks like somebody else's."""
        return outlines_of(self.document("roster"))

    @property
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
        in_force = [uid for uid, meta in self.law.items() if meta.get("in_force")]
        known = [uid for uid in self.order if uid in set(in_force)]
        return known + sorted(set(in_force) - set(known), key=lambda uid: natural(self.number(uid)))

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

    def former_numbers(self, uid: str) -> list[str]:
        """Return the numbers a rule had before the present one, oldest first."""
        noted = [str(number) for number in (self.law.get(uid) or {}).get("former_numbers") or ()]
        worn = [str(r["rule"]) for r in self.revisions(uid) if r.get("rule")]
        return [number for number in dict.fromkeys([*noted, *worn]) if number != self.number(uid)]

    def revisions(self, uid: str) -> list[Document]:
        """Return every revision of a rule, oldest first, the present one (or the mark of its repeal) last."""
        if uid not in self._revisions:
            self._revisions[uid] = self._read_revisions(uid)
        return self._revisions[uid]

    def _read_revisions(self, uid: str) -> list[Document]:
        past = list(self.document(f"history/{uid}").get("revisions") or ())
        now, meta = self.documents.get(f"rules/{uid}"), self.law.get(uid) or {}
        if now and meta.get("in_force", True):
            past.append({**now, **{key: meta.get(key) for key in ("revision", "at", "seq", "cause", "called")}})
        return past

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
    def players(self) -> dict[str, Document]:
        """The roster by id, in order of joining."""
        return dict(self.document("roster"))

    @cached_property
    def present(self) -> list[str]:
        """The ids of those who play now."""
        return [player for player, entry in self.players.items() if entry.get("until") is None]

    def name(self, player: str) -> str:
        """Return how a player is called: name and surname, or the id where no name is known."""
        return called(player, self.players.get(player) or {})

    def registers(self, kind: str, identifier: str) -> Document:
        """Return the registers of a thing."""
        return dict(self.document(f"things/{kind}").get(identifier) or {})

    @cached_property
    def things(self) -> dict[str, tuple[str, Document]]:
        """Every thing by id, with its kind and registers; the kernel's own kinds are left out."""
        found: dict[str, tuple[str, Document]] = {}
        for key, document in self.documents.items():
            kind = key.removeprefix("things/")
            if kind != key and kind not in KERNEL_KINDS:
                found |= {identifier: (kind, registers or {}) for identifier, registers in document.items()}
        return found

    def declared(self, block: str) -> dict[str, tuple[str, Document]]:
        """Return what rules in force declare (`defines.currencies`, `settings`), by name, with the rule's uid."""
        found = declared_in(((uid, self.documents.get(f"rules/{uid}") or {}) for uid in self.ranked), *block.split("."))
        return {name: (uid, declaration or {}) for name, (uid, declaration) in found.items()}

    @cached_property
    def currencies(self) -> dict[str, Document]:
        """Every currency of players by name, with its declaration, the first declared first."""
        declared = self.declared("defines.currencies")
        return {name: about for name, (_uid, about) in declared.items() if PLAYER in owners_of(about)}

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

    def _block_of(self, owner: str) -> str:
        """Return in which block of rules the registers of an owner are declared."""
        if owner == "game" or owner in self.players:
            return "defines.game" if owner == "game" else "defines.player"
        if owner.partition("/")[0] in ("proposal", *self.kinds):
            return "defines.proposal"
        kind = next((key for key, held in self.documents.items() if key.startswith("things/") and owner in held), "")
        return f"defines.kinds.{kind.removeprefix('things/')}.registers"

    @cached_property
    def outcomes(self) -> dict[str, Document]:
        """What can become of proposals beside what the engine knows, by the rules in force."""
        return {name: about for name, (_uid, about) in self.declared("defines.outcomes").items()}

    @cached_property
    def proposals(self) -> dict[str, Document]:
        """Proposals and motions by id, the newest first."""
        found = {str(d.get("id") or key): d for key, d in self.documents.items() if "changes" in d and "ballots" in d}
        return dict(sorted(found.items(), key=lambda pair: _newest(pair[1])))

    @cached_property
    def kinds(self) -> list[str]:
        """Kinds of votable things that exist, proposals first."""
        kinds = {str(p.get("kind") or PROPOSAL) for p in self.proposals.values()} | {PROPOSAL}
        return sorted(kinds, key=lambda kind: (kind != PROPOSAL, kind))

    @cached_property
    def votable(self) -> list[str]:
        """The kinds of what is voted on by the rules in force, proposals first."""
        return votable_kinds({kind: about for kind, (_uid, about) in self.declared("defines.kinds").items()})

    @cached_property
    def resolved_by(self) -> dict[str, Entry]:
        """The journal's entry that resolved a proposal, by the proposal's id."""
        return {
            str(effect.get("of")): entry
            for entry in self.entries
            for effect in entry.get("effects") or ()
            if effect.get("effect") == "resolve"
        }

    @cached_property
    def ledger(self) -> list[Line]:
        """Every change of a currency, oldest first."""
        return list(lines(self.effects(), self.currencies, lambda entry: seconds(entry.get("at"))))

    def displays(self, proposal: str) -> bool:
        """Whether choices and reasons of the ballots on a proposal are displayed."""
        return is_displayed(self.proposals.get(proposal) or {})

    def keeps_back(self, entry: Entry) -> bool:
        """Whether an entry holds a ballot that is not displayed yet."""
        return is_kept_back(entry, self.unresolved)

    @cached_property
    def unresolved(self) -> dict[str, Document]:
        """Proposals and motions that are not resolved, by id."""
        return {name: found for name, found in self.proposals.items() if not found.get("outcome")}

    @cached_property
    def now(self) -> int | None:
        """The time of the last entry in Unix seconds."""
        last = self.document("head").get("at") or (self.entries[-1].get("at") if self.entries else None)
        return seconds(last)

    @cached_property
    def settled(self) -> dict[tuple[int, str], str]:
        """What was done when a duty was struck out, by the entry's number and the duty's key."""
        owed: dict[str, str] = {}
        found: dict[tuple[int, str], str] = {}
        for entry, effect in self.effects("owe", "settle"):
            if effect.get("effect") == "owe":
                what, key = str(effect.get("what")), effect.get("key")
                for player in effect.get("players") or ():
                    owed[f"{key}/{player}" if key else f"{player}:{what}"] = what
                owed[str(key)] = what
            else:
                key = str(effect.get("of"))
                found[int(entry.get("seq") or 0), key] = owed.get(key, key)
        return found

    @cached_property
    def _register_types(self) -> dict[str, str]:
        blocks = ("defines.game", "defines.player", "defines.proposal", "defines.rule")
        kinds = [about.get("registers") or {} for _, about in self.declared("defines.kinds").values()]
        registers = [{name: about for name, (_, about) in self.declared(block).items()} for block in blocks]
        return {name: str(about.get("type")) for part in [*kinds, *registers] for name, about in part.items()}

    def register_type(self, name: str) -> str:
        """Return the declared type of a register by its name, empty where no rule in force declares it."""
        return self._register_types.get(name, "")

    def effects(self, *kinds: str) -> Iterator[tuple[Entry, Document]]:
        """Return every effect of these kinds with its entry, oldest first."""
        for entry in self.entries:
            for effect in entry.get("effects") or ():
                if not kinds or effect.get("effect") in kinds:
                    yield entry, effect


def seconds(at: Plain) -> int | None:
    """Return a time (Unix seconds, or a stamp such as 2026-01-05T12:00:00Z) in Unix seconds.

    >>> seconds("2026-01-05T12:00:00Z")
    1767614400
    """
    if isinstance(at, int) and not isinstance(at, bool):
        return at
    with suppress(ProblemError):
        return read_stamp(str(at))
    return None


def natural(text: Plain) -> tuple[tuple[int, int, str], ...]:
    """Return a key that sorts numbers inside text as numbers: 9 before 10.

    >>> sorted(["10", "9", "8-2"], key=natural)
    ['8-2', '9', '10']
    """
    return number_key(str(text)[:200])


def _newest(proposal: Document) -> tuple[bool, int, int, str]:
    number, at = proposal.get("number"), seconds(proposal.get("submitted_at")) or 0
    by_number = -number if isinstance(number, int) else 0
    return (number is not None, by_number, -at, str(proposal.get("id")))
