"""A law by which rules are checked: what follows from it as it is, is found once for all rules that stand in it."""

from __future__ import annotations

from functools import cached_property, partial

from folkmoot.core.documents import RuleDocument
from folkmoot.core.records import Founding
from folkmoot.core.rule_blocks import RULE_PARTS
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.errors import Fault, Refusal
from folkmoot.kernel.overruled_answers import Overruled, overruled_answers, overruled_told
from folkmoot.kernel.play import Play
from folkmoot.kernel.proposal_outlook import circles_of, overruled_in
from folkmoot.language.known_names import Known, known_in
from folkmoot.scenarios.check_sealed import sealed_in
from folkmoot.scenarios.examples import opening_of, uid_in, with_rule
from folkmoot.scenarios.scenario import Attend, Failed, Run, found

Circles = dict[tuple[str, ...], list[str]]
"""Rules (uids) that take precedence over one another in a circle, with their numbers."""


class CheckedLaw:
    """A law, and with a rule in it."""

    def __init__(self, law: Founding, attend: Attend = lambda _kernel: None) -> None:
        """`attend` is shown each kernel before it runs a script."""
        self.law, self._attend = law, attend

    def beside(self, rule: RuleDocument) -> Founding:
        """Return the law with a rule in it."""
        return self.law if self._stands(rule) else with_rule(self.law, rule)

    def known(self, rule: RuleDocument) -> Known:
        """Return what is known by name in the law with a rule in it."""
        return self._known if self._stands(rule) else known_in(with_rule(self.law, rule)["rules"])

    def circles(self, rule: RuleDocument) -> Circles:
        """Found the law with a rule in it; return the circles in it, none where no game can begin with it."""
        return self._circles if self._stands(rule) else self._circles_in(with_rule(self.law, rule))

    def overruled(self, rule: RuleDocument) -> list[tuple[Overruled, str]]:
        """Return the answers that are always overruled in the law with a rule in it, each with a sentence about it."""
        if self._stands(rule):
            return [] if self.law.get("on_trial") else self._overruled
        parts = {part: rule[part] for part in RULE_PARTS if part in rule}  # type: ignore[literal-required]
        uid = uid_in(self.law, rule)
        change = {"amend": uid, **parts} if uid is not None else {"enact": parts}
        try:
            return self._run.kernel.look(partial(overruled_in, changes=[change]), self._run.now) if self._run else []
        except (Fault, Refusal):  # it cannot be made law, as others tell
            return []

    def sealed(self, rule: RuleDocument) -> frozenset[str]:
        """Return the names of the registers that the law with a rule in it seals."""
        return self._sealed if self._stands(rule) else sealed_in(with_rule(self.law, rule)["rules"])

    def _stands(self, rule: RuleDocument) -> bool:
        uid = uid_in(self.law, rule)
        return uid is not None and {**rule, "rule": rule.get("rule", ""), "uid": uid} in self.law["rules"]

    @cached_property
    def _known(self) -> Known:
        return known_in(self.law["rules"])

    @cached_property
    def _sealed(self) -> frozenset[str]:
        return sealed_in(self.law["rules"])

    @cached_property
    def _circles(self) -> Circles:
        return self._circles_in(self.law)

    def founded(self, rule: RuleDocument) -> Run | None:
        """Found the law with a rule in it; None where no game can begin with it."""
        return self._run if self._stands(rule) else self._begun(with_rule(self.law, rule))

    @cached_property
    def _run(self) -> Run | None:
        return self._begun(self.law)

    def _begun(self, law: Founding) -> Run | None:
        return self._founded(law) or self._founded(opening_of(law, self._attend))

    def _circles_in(self, law: Founding) -> Circles:
        run = self._begun(law)
        return {} if run is None else dict(run.kernel.look(circles_of, run.now))

    @cached_property
    def _overruled(self) -> list[tuple[Overruled, str]]:
        def look(play: Play) -> list[tuple[Overruled, str]]:
            rules = play.law.in_force()
            found = overruled_answers(play)
            return [(each, overruled_told(play, each, lambda uid: f"rule {rules[uid][0]['rule']}")) for each in found]

        return list(self._run.kernel.look(look, self._run.now)) if self._run else []

    def _founded(self, law: Founding) -> Run | None:
        """Found a game; None where none can begin so, of which others tell why."""
        try:
            return found({"ruleset": ""}, lambda _name: law, lambda _event: open_chance("", "check"), self._attend)
        except (Failed, Fault):
            return None
