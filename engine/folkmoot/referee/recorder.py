"""Where acts that came by a forge are judged: who they come from, what came of them, and the commits that keep it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from folkmoot.core.keys import DAY, accepted_key, facts_key, refusals_key
from folkmoot.core.limits import is_unlimited, limit_of
from folkmoot.core.problems import Problem, ProblemError
from folkmoot.forges.port import Issue, Pull
from folkmoot.game.epoch_secrets import confided, with_commitment
from folkmoot.game.session import Document, Done, Session
from folkmoot.journal.tree import GameTree
from folkmoot.referee.commands import Asked
from folkmoot.referee.content import Content, GameContent
from folkmoot.referee.facts import Fact, head_at
from folkmoot.referee.limits import slip_in, warning
from folkmoot.referee.people import distrust, new_id, player_of, plays, whose
from folkmoot.wording import sentences

State = Literal["recorded", "refused", "waiting", "void", "told"]
Read = Callable[[str], Content]

SHARE = 100  # of what one person does, and as many of votes and what they owe: the rest lets others go first
MOST_ENTRIES = 40  # of a pull request that its comment tells of
COMMITTER = "Folkmoot <referee@folkmoot.invalid>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What became of a fact: `what` was asked, and why it was refused, waits or does not count.

    Where somebody only asked (`told`), `lines` are the answer. `person` is the author's id on the forge, `at` when it
    arrived (Unix seconds).
    """

    fact: str
    pull: int
    who: str
    what: str
    state: State
    code: str = ""
    why: str = ""
    rule: str = ""
    seq: int | None = None
    problems: tuple[Problem, ...] = ()
    lines: tuple[str, ...] = ()
    person: str = ""
    at: int = 0


@dataclass(slots=True)
class Recorder:
    """A game in a judge's hands; `verdicts` are those of this run by pull request, `merges` the commits of some.

    `put_off` says that somebody did more than their share of this run, the rest of which is for the next ones.
    `done` are the acts that were judged, `fired` the entries of timers, `entries` counts what was recorded. `author`
    says who commits that merge name as their author (`Name <address>`), "" for us.
    """

    session: Session
    record: GameTree
    forge: str
    read: Read
    author: Callable[[], str] = str
    verdicts: dict[int, list[Verdict]] = field(default_factory=dict)
    merges: dict[int, str] = field(default_factory=dict)
    done: list[Done] = field(default_factory=list)
    fired: list[Document] = field(default_factory=list)
    entries: int = 0
    put_off: bool = False
    _adopted: dict[int, str] = field(default_factory=dict)
    _first: int = 0
    _early: bool = False
    _noted: set[tuple[int, str]] = field(default_factory=set)
    _archived: dict[str, Document] = field(default_factory=dict)
    _slips: Counter[tuple[str, int]] = field(default_factory=Counter)
    _shares: Counter[tuple[str, bool]] = field(default_factory=Counter)

    # -- acts

    def _act(self, fact: Fact, wanted: Asked, identifier: str, content: Content | None = None) -> None:
        """Have an act judged and recorded, if who it comes from may be believed."""
        via = self._via(fact, identifier, content) | ({"review": wanted.review} if wanted.review else {})
        player = player_of(self.roster, self.forge, fact.person)
        if fact.kind != "content" and self._lets_others_go_first(player, wanted.do):
            return
        if player is not None and plays(self.roster, player, fact.at):
            doubt = distrust(self.roster, player, fact.key, fact.at)
            if doubt:
                self._note(fact, wanted.do, "void", code="E-SIGNATURE", why=doubt, id_=identifier)
            elif slip := slip_in(wanted, self.session.actions()):
                self._slip(fact, wanted.do, slip, identifier)
            elif why := self._joins_again(fact, wanted, player, via):
                self._note(fact, wanted.do, "void", code="E-DUP", why=why, id_=identifier)
            elif not self._has_done_enough(fact, wanted, player) and not self._is_held_back(
                fact, wanted, identifier, player, via
            ):
                self._judge(fact, wanted, identifier, player, via)
                self._warn(fact, wanted, player)
            return
        declared = self.session.actions().get(wanted.do) or {}
        if declared.get("who") != "anyone":
            who = whose(fact.person, self.roster, self.forge)
            why = f"{who} is no player of this game; the comment /join asks to become one"
            self._note(fact, wanted.do, "void", code="E-NOT-PLAYER", why=why, id_=identifier)
            return
        self._newcomer(fact, wanted, identifier, player, declared, via)

    def _joins_again(self, fact: Fact, wanted: Asked, player: str, via: Document) -> str:
        """Return what a player is told who asks to become one again, "" where the rules make something else of it."""
        if wanted.do != "join":
            return ""
        outcome = self.session.would(player, wanted.do, dict(wanted.args), at=max(fact.at, self.session.at), via=via)
        return "" if outcome.accepted else f"you are {player} in this game already"

    def _is_unlimited(self, do: str, player: str) -> bool:
        administrators = self.session.document("game").get("administrators") or ()
        return is_unlimited(do, player, administrators, self.session.document("things/duty"))

    def _counts(self, wanted: Asked, player: str) -> bool:
        """Say whether the limit on accepted acts counts an act: no vote, nothing owed, and no office does it."""
        declared = self.session.actions().get(wanted.do) or {}
        return not (wanted.as_ or declared.get("as") or self._is_unlimited(wanted.do, player))

    def _lets_others_go_first(self, player: str | None, do: str) -> bool:
        """Say whether an act waits for the next run, because so many of its author's are recorded in this one.

        Whatever else they send waits as well, in its order; votes and what they owe have a share of their own, so that
        nobody loses a vote to what they said. What others sent later is judged in this run.
        """
        if player is None or self._early:
            return False
        waits = self._shares[player, self._is_unlimited(do, player)] >= SHARE
        self.put_off |= waits
        return waits

    def _has_done_enough(self, fact: Fact, wanted: Asked, player: str) -> bool:
        """Say whether an act is answered only, once in its place, because as many of its author's day were accepted."""
        limit = self._limit("accepted_acts_a_day")
        if self._acceptances(player, fact.at) < limit or not self._counts(wanted, player):
            return False
        identifier = f"enough/{player}/{fact.at // DAY}"
        if (fact.number, identifier) not in self._noted:
            why = (
                f"{limit} acts of {player} were accepted today (the limit accepted_acts_a_day): this, and what else "
                "they do today, is not recorded; votes, what they owe and what an office does are as ever"
            )
            self._note(fact, wanted.do, "void", code="E-RATE", why=why, id_=identifier)
        return True

    def _is_held_back(self, fact: Fact, wanted: Asked, identifier: str, player: str, via: Document) -> bool:
        """Say whether an act is answered only: it is refused, and its author had as many refused acts as a day has.

        What the rules accept is recorded in any case, and so are votes, what is owed and the acts of administrators.
        """
        limit = self._limit("refused_acts_a_day")
        if self._refusals(player, fact.at) < limit or self._is_unlimited(wanted.do, player):
            return False
        at = max(fact.at, self.session.at)
        outcome = self.session.would(player, wanted.do, dict(wanted.args), at=at, via=via)
        if outcome.accepted:
            return False
        reason: Document = next((r for r in outcome.reasons if r["code"] == outcome.code), {})
        refused = str((reason.get("args") or {}).get("why") or "it is refused")
        why = f"{refused}; this is answered only, because {limit} acts of {player} were refused today"
        self._note(fact, wanted.do, "void", code="E-RATE", why=why, id_=identifier)
        return True

    def _warn(self, fact: Fact, wanted: Asked, player: str) -> None:
        """Tell in the game's own thread who has used up most of their acts of a day, or all of them."""
        if not self.done or not self._counts(wanted, player):
            return
        if self.done[-1].accepted:
            what, used, limit = "accepted", self._acceptances(player, fact.at), self._limit("accepted_acts_a_day")
            then = "more are answered only, and not recorded; votes, what you owe and what an office does count as ever"
        else:
            what, used, limit = "refused", self._refusals(player, fact.at), self._limit("refused_acts_a_day")
            then = (
                "more are answered only, and not recorded; votes, what you owe and what the rules accept count as ever"
            )
        why = warning(player, f"{what} acts", used, limit, then)
        if why:
            self._tell_of_limit(fact, player, f"{what} acts", f"{used}", why)

    def _slip(self, fact: Fact, what: str, why: str, identifier: str = "") -> None:
        """Answer a message that is no act because of an error of form; so many of a day are answered one by one."""
        limit, about = self._limit("typing_errors_a_day"), (fact.person.id, fact.at // DAY)
        self._slips[about] += 1
        if self._slips[about] <= limit:
            self._note(fact, what, "void", code="E-ARGS", why=why, id_=identifier)
        who = whose(fact.person, self.roster, self.forge)
        told = warning(who, "errors of form", self._slips[about], limit, "more are not answered one by one")
        if told:
            self._tell_of_limit(fact, who, "errors of form", f"{self._slips[about]}", told)

    def _tell_of_limit(self, fact: Fact, who: str, what: str, mark: str, why: str) -> None:
        """Say in the game's own thread that somebody is near a limit, once."""
        id_ = f"limit/{what}/{who}/{fact.at // DAY}/{mark}"
        if (0, id_) not in self._noted:
            self._noted.add((0, id_))
            more = {"person": fact.person.id, "at": fact.at, "code": "E-RATE", "why": why}
            self.verdicts.setdefault(0, []).append(
                Verdict(fact=id_, pull=0, who=who, what=what, state="void", **more)  # type: ignore[arg-type]
            )

    def _limit(self, name: str) -> int:
        return limit_of(self.session.document("game"), name)

    def _newcomer(
        self,
        fact: Fact,
        wanted: Asked,
        identifier: str,
        former: str | None,
        declared: Document,
        via: Document,
    ) -> None:
        """Let a stranger do what anybody may; what the rules refuse them is answered, not recorded."""
        args = dict(wanted.args)
        named = str(args.get("id") or "")
        asked_id = "" if "id" in (declared.get("arguments") or {}) else str(args.pop("id", "") or "")
        doubt = distrust(self.roster, former, fact.key, fact.at) if former else self._name_taken(named)
        if doubt:
            code = "E-SIGNATURE" if former else "E-DUP"
            self._note(fact, wanted.do, "void", code=code, why=doubt, id_=identifier)
            return
        by = former or new_id([*self.roster, *self._administrators()], fact.person.handle, asked_id)
        person = {"id": fact.person.id, "login": fact.person.handle}
        at = max(fact.at, self.session.at)
        if wanted.do == "join":
            args = _with_attributes(args, declared.get("arguments") or {})
        outcome = self.session.would(by, wanted.do, args, at=at, via={**via, "person": person})
        if outcome.accepted:
            self._judge(fact, Asked(wanted.do, args, wanted.as_), identifier, by, {**via, "person": person})
            return
        reason: Document = next((r for r in outcome.reasons if r["code"] == outcome.code), {})
        why = str((reason.get("args") or {}).get("why") or "the rules do not allow it")
        self._note(fact, wanted.do, "void", code=outcome.code, why=why, id_=identifier)

    def _administrators(self) -> list[str]:
        return list(self.session.document("game").get("administrators") or ())

    def _name_taken(self, name: str) -> str:
        """Return why a stranger may not call themself so: who keeps a game need not be a player of it."""
        if name.lower() in {each.lower() for each in self._administrators()}:
            return f"{name} is the name of an administrator of this game; ask for another, as in /join id=NAME"
        return ""

    def _judge(self, fact: Fact, wanted: Asked, identifier: str, player: str, via: Document) -> None:
        at = self.session.at if self._early else max(fact.at, self.session.at)
        asked = (self.record, self.session.document("game"), player, wanted.do, wanted.args)
        try:
            args, secret = with_commitment(*asked), confided(*asked)
        except ProblemError as error:  # what the keeper knows is not in order
            problem = error.problems[0]
            self._note(fact, wanted.do, "void", code=problem.code, why=problem.message, id_=identifier)
            return
        self._shares[player, self._is_unlimited(wanted.do, player)] += 1
        done = self.session.act(player, wanted.do, args, at=at, as_=wanted.as_, via=via, confided=secret)
        self.done.append(done)
        self._look_at([*done.before, done.entry])
        self._tell(fact, done.entry, identifier)

    def _tell(self, fact: Fact, entry: Document, identifier: str) -> None:
        """Note what an entry says became of a fact."""
        code = str(entry.get("code") or "")
        reason: Document = next((r for r in entry.get("reasons") or () if r["code"] == code), {})
        self._note(
            fact,
            str(entry["do"]),
            "refused" if code else "recorded",
            code=code,
            why=str((reason.get("args") or {}).get("why") or ""),
            rule=str(reason.get("rule") or ""),
            seq=int(entry["seq"]),
            id_=identifier,
        )

    def _via(self, fact: Fact, identifier: str, content: Content | None) -> Document:
        via: Document = {"forge": self.forge, **fact.place, "fact": identifier, "arrived": fact.at}
        if fact.pull is not None:
            via["head"] = fact.push.commit if fact.push else head_at(fact.pull, fact.at).commit
        return via | ({"digest": content.digest} if content is not None else {})

    # -- commits

    def _look_at(self, entries: Iterable[Document]) -> None:
        """Note which pull requests entries adopt, and commit each such moment with their heads as parents."""
        for entry in entries:
            self.entries += 1
            for effect in entry.get("effects") or ():
                if effect["effect"] == "resolve" and effect.get("to") in ("adopted", "accepted"):
                    via = self.session.proposal(str(effect["of"])).get("via") or {}
                    if via.get("forge") == self.forge and via.get("pull") and via.get("head"):
                        self._adopted[via["pull"]] = via["head"]
        if self._adopted:
            self._commit()

    def _commit(self) -> None:
        """Commit what was recorded since the last commit."""
        if not self.record.touched:
            return
        head = self.session.head
        span = f"{self._first}" if self._first == head.seq else f"{self._first} to {head.seq}"
        what = ", ".join(f"#{pull}" for pull in self._adopted)
        subject = f"Take in {what}" if what else f"Record {span}"
        message = f"{self.record.name}: {subject}\n\nEntries: {span}\n"
        author = (self.author() if self._adopted else "") or COMMITTER
        made = self.record.commit(message, author, head.at, list(self._adopted.values()), COMMITTER)
        self.merges |= dict.fromkeys(self._adopted, made)
        self._adopted, self._first = {}, head.seq + 1

    # -- looking

    @property
    def roster(self) -> Document:
        """Return who is and was in the game."""
        return self.session.document("roster")

    def facts(self, pull: int, arrived: int) -> Document:
        """Return what is recorded of a pull request, or of a day of the game's own thread."""
        return self.facts_at({"pull": pull}, arrived)

    def facts_at(self, place: Mapping[str, int], arrived: int = 0) -> Document:
        """Return what is recorded of a place, `{issue: 12}` for instance."""
        key = facts_key({"forge": self.forge, **place, "fact": "any", "arrived": arrived})
        if key is None or key in self.session.documents:
            return self.session.documents.get(key or "", {})
        if key not in self._archived:
            self._archived[key] = self.session.document(key)
        return self._archived[key]

    def _known(self, fact: Fact, identifier: str) -> bool:
        return identifier in (self.facts_at(fact.place, fact.at).get("facts") or {})

    def _refusals(self, player: str, at: int) -> int:
        return int(self.session.document(refusals_key(self.forge, at)).get(player, 0))

    def _acceptances(self, player: str, at: int) -> int:
        return int(self.session.document(accepted_key(self.forge, at)).get(player, 0))

    def proposal_of(self, pull: int) -> Document | None:
        """Return the newest proposal of a pull request."""
        return self.proposal_at({"pull": pull})

    def proposal_at(self, place: Mapping[str, int]) -> Document | None:
        """Return the newest proposal that was made at a place; the game's own thread makes none of its own."""
        made = self.facts_at(place).get("proposals") if any(place.values()) else None
        return self.session.proposal(made[-1]) if made else None

    def author_of(self, pull: Pull | Issue) -> str:
        """Return the player whose pull request it is, or their handle."""
        return whose(pull.author, self.roster, self.forge)

    def entries_of(self, pull: int) -> tuple[Document, ...]:
        """Return the newest entries that a pull request led to, oldest first."""
        return self.entries_at({"pull": pull})

    def entries_at(self, place: Mapping[str, int]) -> tuple[Document, ...]:
        """Return the newest entries that came of a place, oldest first."""
        known = sorted((self.facts_at(place).get("facts") or {}).values())
        return tuple(self.record.entry(seq) for seq in known[-MOST_ENTRIES:])

    def refused(self, pull: Pull) -> bool:
        """Say whether a pull request did nothing but acts in its files, and all of them were refused."""
        known = self.facts(pull.number, 0).get("facts") or {}
        acts = [seq for identifier, seq in known.items() if identifier.startswith(f"{pull.head.commit}/")]
        return bool(acts) and all(sentences.refused(self.record.entry(seq)) for seq in acts)

    def _mine(self, content: Content) -> GameContent | None:
        return next((each for each in content.games if each.game == self.record.name), None)

    def _speaks_of(self, commit: str, proposal: Document) -> bool:
        """Say whether a review of a commit is one of the content that a proposal was made with."""
        via = proposal["via"]
        return commit in ("", via.get("head")) or self.read(commit).digest == via.get("digest")

    def _note(self, fact: Fact, what: str, state: State, *, id_: str = "", **more: Any) -> None:
        who = whose(fact.person, self.roster, self.forge)
        about = {"pull": fact.number, "person": fact.person.id, "at": fact.at}
        verdict = Verdict(fact=id_ or fact.id, who=who, what=what, state=state, **about, **more)  # type: ignore[arg-type]
        noted = self.verdicts.setdefault(fact.number, [])
        if (fact.number, verdict.fact) in self._noted:  # looked for only then: there may be many thousands
            noted[:] = [each for each in noted if each.fact != verdict.fact]
        self._noted.add((fact.number, verdict.fact))
        noted.append(verdict)


def _with_attributes(args: Document, declared: Document) -> Document:
    """Return the arguments of joining, those that the action does not know as attributes of the person."""
    more = {name: value for name, value in args.items() if name not in declared}
    given = args.get("attributes") or {}
    if "attributes" not in declared or not more or not isinstance(given, dict):
        return args
    return {**{name: value for name, value in args.items() if name in declared}, "attributes": {**given, **more}}
