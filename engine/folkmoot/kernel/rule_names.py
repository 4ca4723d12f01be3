"""By which uids and numbers the rules in force are named."""

from __future__ import annotations

from folkmoot.core.documents import RuleDocument, RuleMeta


class RuleNames:
    """The uids and numbers of rules: `named` leads from either to the uid, from a number before a uid."""

    def __init__(self, rules: dict[str, tuple[RuleDocument, RuleMeta]]) -> None:
        """Collect the names of rules in order; of two with one number it means the first."""
        self.numbers = {document["rule"] for document, _meta in rules.values()}
        by_number = {document["rule"]: uid for uid, (document, _meta) in reversed(rules.items())}
        self.named = {**{uid: uid for uid in rules}, **by_number}

    def add(self, uid: str, number: str) -> bool:
        """Add a rule that is new; False, and nothing done, where one of its names means another already."""
        if uid in self.named or number in self.named:
            return False
        self.named[uid] = self.named[number] = uid
        self.numbers.add(number)
        return True
