"""A game that is open: its record, its documents, and the sandbox that answers what the law says of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

from folkmoot.core.declared_kinds import PLAYER, owners_of, votable_kinds
from folkmoot.core.documents import Document, Proposal, RuleDocument
from folkmoot.core.engines import Versions, is_same, shown_engine
from folkmoot.core.keys import GAME, LAW, OFFICES, ROSTER, Kept, Key, number_key, rule_key
from folkmoot.core.portable_names import folded
from folkmoot.core.problems import Problem, ProblemError, fail
from folkmoot.core.proposal_numbers import find_by_name
from folkmoot.core.records import Arguments, Declarations, Founding, ProposedChange, Review, Taken
from folkmoot.core.rule_blocks import ActionSpec
from folkmoot.core.versions import other_engine, versions
from folkmoot.journal import GameFolder, GameRecord, Head
from folkmoot.journal.record import LoadedDocuments
from folkmoot.kernel.act_declarations import BEYOND_RULES, KERNEL_DECLARATIONS
from folkmoot.kernel.declared_blocks import declared_in
from folkmoot.language.tree import hook_names

if TYPE_CHECKING:
    from folkmoot.kernel.documents import Archive
    from folkmoot.sandbox.client import Sandbox

OPENING = ("zone", "settings", "players", "offices", "opening")  # of a founding: what play may change afterwards


class OpenGame:
    """A game as it stands: it can be asked; `folkmoot.game.session` plays it."""

    def __init__(self, record: GameRecord, documents: dict[str, Document], head: Head) -> None:
        """Take a game's record, its documents and the end of its journal; a sandbox starts when it is first needed."""
        self.record = record
        self.documents = LoadedDocuments(documents, record.archive)
        self.head = head
        self._sandbox: Sandbox | None = None
        self._checked: Versions = {}
        self._hooks: tuple[int, frozenset[str]] = (-1, frozenset())

    @classmethod
    @contextmanager
    def open(cls, path: Path, *, writing: bool = False, judging: bool = False) -> Iterator[Self]:
        """Open the game in a folder, keeping other writers out where it is to be played (`writing`).

        Where the sandbox is needed in any case (`judging`), it starts while the game is read.
        Raises E-NO-GAME where there is none, E-CHAIN or E-DERIVED where its record is damaged.
        """
        folder = GameFolder(path)
        with (
            folder.writing() if writing and folder.files.kind() == "folder" else nullcontext(),
            cls.on(folder, judging=judging) as session,
        ):
            if writing and (damage := folder.damage()):
                raise ProblemError(*damage)
            yield session

    @classmethod
    @contextmanager
    def on(cls, record: GameRecord, *, judging: bool = False) -> Iterator[Self]:
        """Open the game of a record, on disk or in git; who plays it there keeps other writers out.

        Where the sandbox is needed in any case (`judging`), it starts while the game is read.
        Raises E-NO-GAME where there is none, E-CHAIN where its record is damaged.
        """
        with _blaming(record):
            sandbox = _sandbox_of(record.load, record.archive) if judging else None
            session = cls(record, sandbox.current() if sandbox is not None else record.load(), record.head)
            session._sandbox = sandbox
            with closing(session):
                yield session

    @property
    def sandbox(self) -> Sandbox:
        """Return the sandbox, with the game as it is now."""
        if self._sandbox is None:
            self._sandbox = _sandbox_of(self.documents, self.record.archive)
        return self._sandbox

    def close(self) -> None:
        """End the sandbox's process, if there is one."""
        if self._sandbox is not None:
            self._sandbox.close()
            self._sandbox = None

    @property
    def at(self) -> int:
        """Return the time of the last entry in Unix seconds."""
        return self.head.at or 0

    @property
    def is_ours(self) -> bool:
        """Say whether this engine judges the game, or nobody knows of another."""
        judging = self.kept(GAME).get("engine") or {}
        if judging is not self._checked and not is_same(judging, versions()):
            return False
        self._checked = judging
        return True

    def check_engine(self) -> None:
        """Raise E-ENGINE where another engine than this judges the game, so that nothing else may be recorded."""
        if not self.is_ours:
            judging = self.kept(GAME).get("engine") or {}
            why = f"the game is judged by engine {shown_engine(judging)}, and this is {shown_engine(versions())}"
            raise fail("E-ENGINE", why, None, other_engine(judging))

    def kept(self, key: Key[Kept]) -> Kept:
        """Return a document of a known type, an empty one where there is none (see `document`)."""
        return cast(Kept, self.document(key))

    def document(self, key: str) -> Any:
        """Return a document by its key, an empty one where there is none; archived ones are read from the record."""
        found = self.documents.get(key)
        return found if found is not None else self.record.archive(key) or {}

    def ask(self, question: str, *arguments: Any) -> Any:
        """Return what the law answers to a question, or None; the sandbox is asked only where a rule may answer."""
        return self.sandbox.ask(question, list(arguments), self.at) if self.decides(question) else None

    def ask_about(self, question: str, proposal: str, *arguments: Any) -> Any:
        """Return what the law answers to a question about a proposal (by its id), or None, as `ask` does."""
        return self.sandbox.ask(question, list(arguments), self.at, proposal) if self.decides(question) else None

    def read_review(self, proposal: str, player: str, verdict: str, reason: str) -> Review | None:
        """Return what the law makes of a player's review: `rule`, and `do`, `args` and `as`, or `why` it is nothing."""
        found: Review | None = self.sandbox.read_review(proposal, [player, verdict, reason], self.at)
        return found

    def taken_as(self, pull: Arguments) -> Taken:
        """Return by which action the law takes a pull request in that names none (`do`), or `why` by none.

        `pull` has what the question `taken_as` is shown: by, title, text, changes and requests.
        """
        from folkmoot.kernel.proposing_action import QUESTION, default_of, taking_in, why_none

        if self.decides(QUESTION):
            return cast(Taken, self.sandbox.taken_as(pull, self.at))
        do = default_of(self.declared("actions"))
        return {"do": do} if do else {"why": why_none(taking_in(self.declared("actions")))}

    def read_push(self, proposal: str, changes: list[ProposedChange]) -> Review | None:
        """Return what the law makes of new content of a proposal, as of a review; `code` where it is refused."""
        found: Review | None = self.sandbox.read_push(proposal, changes, self.at)
        return found

    def decides(self, question: str) -> bool:
        """Say whether a rule in force may answer a question; the sandbox need not be asked what none does."""
        metas, hook = self.kept(LAW).get("rules") or {}, f"decide_{question}"
        return any(
            hook in (self.kept(rule_key(u)).get("script") or "") for u, meta in metas.items() if meta["in_force"]
        )

    def shows(self, page: str = "") -> bool:
        """Say whether a rule in force may show a page of a name, or any; the sandbox need not be asked what none does.

        Names that differ by capitals alone are one.
        """
        shown = {folded(name) for name in self.shown_names()}
        return folded(page) in shown if page else bool(shown)

    def shown_names(self) -> list[str]:
        """Return the names of the pages that rules in force may show, in order."""
        return sorted(hook.removeprefix("show_") for hook in self._hooks_in_force() if hook.startswith("show_"))

    def shown_by(self) -> dict[str, tuple[str, RuleDocument]]:
        """Return by which rule (uid and document) each page is shown, without asking the sandbox."""
        found: dict[str, tuple[str, RuleDocument]] = {}
        metas = self.kept(LAW).get("rules") or {}
        awake = [uid for uid, meta in metas.items() if meta["in_force"] and not meta.get("suspended")]
        for uid in sorted(awake, key=lambda uid: number_key(metas[uid]["number"])):
            rule = self.kept(rule_key(uid))
            hooks = (hook for hook in hook_names(rule.get("script") or "") if hook.startswith("show_"))
            for name in (hook.removeprefix("show_") for hook in hooks):
                if folded(name) not in map(folded, found):
                    found[name] = uid, rule
        return found

    def _hooks_in_force(self) -> frozenset[str]:
        """Return the hooks that the scripts of the rules in force have."""
        version = int(self.document("law").get("version") or 0)
        if self._hooks[0] != version:
            found = (hook for rule in self.rules() for hook in hook_names(rule.get("script") or ""))
            self._hooks = version, frozenset(found)
        return self._hooks[1]

    def players(self) -> list[str]:
        """Return the ids of those who play now, in order of joining."""
        return [player for player, entry in self.kept(ROSTER).items() if entry["until"] is None]

    def rules(self) -> Iterator[RuleDocument]:
        """Yield the rules in force by number."""
        metas = self.kept(LAW).get("rules") or {}
        for uid in sorted(
            (u for u, meta in metas.items() if meta["in_force"]), key=lambda u: number_key(metas[u]["number"])
        ):
            yield self.kept(rule_key(uid))

    def law(self) -> Founding:
        """Return the law in force with the position in which the game began, for examples and scenarios.

        Whatever play has changed but the law itself changes nothing of it.
        """
        game = self.kept(GAME)
        rules = [{key: part for key, part in rule.items() if key != "source"} for rule in self.rules()]
        began = self.record.entry(1).get("with") or {}
        opening = {name: began[name] for name in OPENING if began.get(name)}
        lists = {"lists": game["lists"]} if game.get("lists") else {}
        return {"title": game["title"], "zone": game["zone"], "settings": {}, **opening, "rules": rules, **lists}

    def declared(self, *path: str) -> Declarations:
        """Return what the rules in force declare in a block by name, the lowest rule first."""
        found = declared_in(((rule["uid"], rule) for rule in self.rules()), *path)
        return {name: declaration for name, (_uid, declaration) in found.items()}

    def actions(self) -> dict[str, ActionSpec]:
        """Return the declarations of the actions of this game by name, those of the kernel last.

        What a rule declares replaces the kernel's act of that name, but for those in whose way no rule stands.
        """
        own = {do: declared for do, declared in self.declared("actions").items() if do not in BEYOND_RULES}
        return own | {do: declared for do, declared in KERNEL_DECLARATIONS.items() if do not in own}

    def currencies(self) -> list[str]:
        """Return the names of the currencies of players."""
        found = self.declared("defines", "currencies")
        return [name for name, declaration in found.items() if PLAYER in owners_of(declaration)]

    def votable(self) -> list[str]:
        """Return the kinds of what is voted on, proposals first."""
        return votable_kinds(self.declared("defines", "kinds"))

    def offices(self) -> dict[str, str | None]:
        """Return who holds each office, None where nobody does."""
        kept = self.kept(OFFICES)
        offices = self.declared("defines", "offices")
        by_rule = {name: self.ask("holder", name) for name, d in offices.items() if d.get("fill") == "by_rule"}
        players = self.players()
        by_rule = {name: who if who in players else None for name, who in by_rule.items()}
        return {name: by_rule.get(name) or (kept.get(name) or {}).get("holder") for name in offices}

    def deputies(self) -> dict[str, list[str]]:
        """Return who may act for each office beside its holder; nobody where no rule answers that question."""
        return deputies_in(self.documents, self.offices(), partial(self.ask, "acts_for"))

    def proposal(self, identifier: str) -> Proposal:
        """Return the document of a proposal or motion by its id, `proposal/305`."""
        return cast(Proposal, find_by_name(self.kept, identifier))


_FAULTS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
_MOST_REPLAYED = 1_000  # entries, to find out whether it is the record that something unforeseen came of


@contextmanager
def _blaming(record: GameRecord) -> Iterator[None]:
    """Say of what fails without a reason that the record is damaged, where it is."""
    try:
        yield
    except (*_FAULTS, ProblemError) as error:
        if isinstance(error, ProblemError) and error.problems[0].code != "E-JUDGE":
            raise
        if damage := record.damage() or _found_by_replay(record):
            raise ProblemError(*damage) from error
        raise


def _found_by_replay(record: GameRecord) -> list[Problem]:
    from folkmoot.game.verify import replayed_anew, verify  # which is more than most need

    with suppress(*_FAULTS):
        return verify(record, replayed_anew(record)).problems if record.head.seq <= _MOST_REPLAYED else []
    return []


def _sandbox_of(documents: Callable[[], dict[str, Document]] | dict[str, Document], archive: Archive) -> Sandbox:
    from folkmoot.sandbox.client import Sandbox  # which is more than most need who only look

    return Sandbox(documents, archive)


def deputies_in(
    documents: Mapping[str, Document], offices: Mapping[str, str | None], ask: Callable[[str, str], Any]
) -> dict[str, list[str]]:
    """Return who may act for each office (name → holder) beside its holder; `ask(player, office)` says whether.

    Where no rule answers that question, it is not asked.
    """
    rules = (rule for key, rule in documents.items() if key.startswith("rules/"))
    if not any("decide_acts_for" in hook_names(str(rule.get("script") or "")) for rule in rules):
        return {}
    present = [player for player, entry in (documents.get("roster") or {}).items() if entry["until"] is None]
    return {
        office: [player for player in present if player != holder and ask(player, office) is True]
        for office, holder in offices.items()
    }
