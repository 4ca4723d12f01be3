"""Acts that came by a forge: whether they are believed, who of strangers may do what, and whose turn it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from folkmoot.core.keys import GAME
from folkmoot.core.records import Application, Arguments, Via
from folkmoot.core.rule_blocks import ActionSpec, ArgumentSpec
from folkmoot.kernel.act_declarations import JOIN, doers, joining_action
from folkmoot.referee.commands import Asked
from folkmoot.referee.content import Content
from folkmoot.referee.daily_limits import DailyLimits, slip_in
from folkmoot.referee.facts import Fact
from folkmoot.referee.people import distrust, new_id, plays
from folkmoot.referee.recorder import Recorder
from folkmoot.referee.report import reason_of

SHARE = 100  # of what one person does, and as many of votes and what they owe: the rest lets others go first


class Acts:
    """Has an act recorded if who it comes from may be believed, and may do it at all.

    `put_off` says that somebody did more than their share of this run, the rest of which is for the next ones. What is
    taken `early` is judged at the time of the last entry.
    """

    def __init__(self, recorder: Recorder, limits: DailyLimits) -> None:
        self.recorder = recorder
        self.limits = limits
        self.put_off = False
        self.early = False
        self._shares: Counter[tuple[str, bool]] = Counter()

    def act(self, fact: Fact, wanted: Asked, identifier: str, content: Content | None = None) -> None:
        """Have an act judged and recorded, if who it comes from may be believed."""
        recorder = self.recorder
        via = recorder.via(fact, identifier, content)
        if wanted.review:
            via["review"] = wanted.review
        player = recorder.player(fact.person)
        if fact.kind != "content" and self.lets_others_go_first(player, wanted.do):
            return
        if player is not None and plays(recorder.roster, player, fact.at):
            doubt = distrust(recorder.roster, player, fact.key, fact.at)
            if doubt:
                recorder.note(fact, wanted.do, "void", code="E-SIGNATURE", why=doubt, id_=identifier)
            elif slip := slip_in(wanted, recorder.session.actions()):
                self.limits.slip(fact, wanted.do, slip, identifier)
            elif why := self._joins_again(fact, wanted, player, via):
                recorder.note(fact, wanted.do, "void", code="E-DUP", why=why, id_=identifier)
            elif not self.limits.bar(fact, wanted, identifier, player, via):
                self._judge(fact, wanted, identifier, player, via)
                self.limits.warn(fact, wanted, player)
            return
        actions = recorder.session.actions()
        wanted = replace(wanted, do=joining_action(actions)) if wanted.do == JOIN else wanted
        declared = actions.get(wanted.do) or {}
        if "anyone" in doers(declared):
            self._newcomer(fact, wanted, identifier, player, declared, via)
        else:
            recorder.note(fact, wanted.do, "void", code="E-NOT-PLAYER", why=self.no_player(fact), id_=identifier)

    def no_player(self, fact: Fact) -> str:
        """Return what a stranger is told whose act only players may do."""
        return f"{self.recorder.named(fact.person)} is no player of this game; the comment /join asks to become one"

    def lets_others_go_first(self, player: str | None, do: str) -> bool:
        """Say whether an act waits for the next run, because so many of its author's are recorded in this one.

        Whatever else they send waits as well, in its order; votes and what they owe have a share of their own, so that
        nobody loses a vote to what they said. What others sent later is judged in this run.
        """
        if player is None or self.early:
            return False
        waits = self._shares[player, self.limits.is_unlimited(do, player)] >= SHARE
        self.put_off |= waits
        return waits

    def _joins_again(self, fact: Fact, wanted: Asked, player: str, via: Via) -> str:
        """Return what a player is told who asks to become one again, "" where the rules make something else of it."""
        if wanted.do != JOIN:
            return ""
        outcome = self.recorder.session.would(player, wanted.do, dict(wanted.args), at=fact.at, via=via)
        return "" if outcome.accepted else f"you are {player} in this game already"

    def _newcomer(
        self,
        fact: Fact,
        wanted: Asked,
        identifier: str,
        former: str | None,
        declared: ActionSpec,
        via: Via,
    ) -> None:
        """Let a stranger do what anybody may; what the rules refuse them is answered, not recorded."""
        recorder, args = self.recorder, dict(wanted.args)
        administrators = recorder.session.kept(GAME).get("administrators") or ()
        named = str(args.get("id") or "")
        asked_id = "" if "id" in (declared.get("arguments") or {}) else str(args.pop("id", "") or "")
        if former and (doubt := distrust(recorder.roster, former, fact.key, fact.at)):
            recorder.note(fact, wanted.do, "void", code="E-SIGNATURE", why=doubt, id_=identifier)
            return
        if not former and named.lower() in {each.lower() for each in administrators}:
            why = f"{named} is the name of an administrator of this game; ask for another, as in /join id=NAME"
            recorder.note(fact, wanted.do, "void", code="E-DUP", why=why, id_=identifier)
            return
        by = former or self._applied(fact, asked_id) or self._new(fact, administrators, asked_id)
        via = {**via, "person": {"id": fact.person.id, "login": fact.person.handle}}
        if wanted.do == JOIN:
            args = _with_attributes(args, declared.get("arguments") or {})
        outcome = recorder.session.would(by, wanted.do, args, at=fact.at, via=via)
        if outcome.accepted:
            self._judge(fact, Asked(wanted.do, args, wanted.as_), identifier, by, via)
        else:
            why = reason_of(outcome.code, outcome.reasons)[0] or "the rules do not allow it"
            recorder.note(fact, wanted.do, "void", code=outcome.code, why=why, id_=identifier)

    def _applied(self, fact: Fact, asked: str) -> str:
        """Return the id that is kept for somebody who asked to come in, "" where none is or they want another."""
        return "" if asked else next(iter(self._applications(fact)), "")

    def applied_at(self, fact: Fact) -> bool:
        """Say whether somebody asked to come in where a fact arrived, and is not in."""
        found = self._applications(fact).values()
        return any(application.get("pull") == fact.number for application in found)

    def _applications(self, fact: Fact) -> dict[str, Application]:
        """Return what is kept of somebody who asked to come in, by the id that they asked for."""
        account = self.recorder.forge, fact.person.id
        known = (self.recorder.session.kept(GAME).get("applications") or {}).items()
        return {name: asked for name, asked in known if (asked["forge"], asked["account"]["id"]) == account}

    def _new(self, fact: Fact, administrators: Iterable[str], asked: str) -> str:
        taken = [*self.recorder.roster, *administrators, *(self.recorder.session.kept(GAME).get("applications") or {})]
        return new_id(taken, fact.person.handle, asked)

    def _judge(self, fact: Fact, wanted: Asked, identifier: str, player: str, via: Via) -> None:
        self._shares[player, self.limits.is_unlimited(wanted.do, player)] += 1
        now = self.recorder.session.at
        self.recorder.judge(fact, wanted, identifier, player, via, now if self.early else max(fact.at, now))


def _with_attributes(args: Arguments, declared: Mapping[str, ArgumentSpec]) -> Arguments:
    """Return the arguments of joining, those that the action does not know as attributes of the person."""
    more = {name: value for name, value in args.items() if name not in declared}
    given = args.get("attributes") or {}
    if "attributes" not in declared or not more or not isinstance(given, dict):
        return args
    return {**{name: value for name, value in args.items() if name in declared}, "attributes": {**given, **more}}
