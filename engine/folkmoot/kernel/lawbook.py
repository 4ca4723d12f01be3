"""The law in force: which rules, which hooks they have, in which order they are heard, and the law as of a number."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any, TypeVar, cast

from msgspec import Struct, field

from folkmoot.core.declared_kinds import declared_in
from folkmoot.core.documents import Document, Revision, RuleDocument, RuleMeta
from folkmoot.core.keys import LAW, history_key, number_key, rule_key
from folkmoot.core.records import Failure, ScriptRecord
from folkmoot.core.rule_blocks import SettingSpec
from folkmoot.kernel.documents import Documents
from folkmoot.kernel.script_records import rule_record
from folkmoot.language.binding import Linked, linked
from folkmoot.language.tree import RULE, hook_names, loaded_rules, takes_back

EVERY_PAIR_UP_TO = 60
TEXT_ALONE = frozenset(["rule", "uid", "title", "labels", "text", "precedence", "source", "examples"])
"""Keys of the document of a rule that hears, answers and declares nothing."""

View = int | None  # None: the law of today; n: the law as of submission n
Prevails = Callable[[ScriptRecord, ScriptRecord, View], tuple[str | None, list[Any]]]
Found = TypeVar("Found")
Version = tuple[RuleDocument, RuleMeta]  # of a rule: its document, and what is known of it


class Lawbook:
    """Answers which rules are in force and which of them listen to a hook; what is found stays known."""

    def __init__(self, documents: Documents, prevails: Prevails) -> None:
        """`prevails(a, b, view)` asks the law which of two rules takes precedence (a uid or None), and what failed."""
        self._documents = documents
        self._prevails = prevails
        self.used: list[Order] = []  # in this event
        self.deciding = False  # whether a question about precedence is being asked
        self.asked = False  # whether a rule asked the game anything to answer it
        self.volatile = False  # whether its answer may be another one at the next event
        self.forget()

    def forget(self) -> None:
        """Forget all that follows from the law, because it has changed (or a change was undone)."""
        self._of_rules: dict[tuple[Any, ...], Any] = {}  # follows from every word of the law
        self._of_blocks: dict[tuple[Any, ...], Any] = {}  # follows from what rules in force hear, answer and declare
        self._of_pairs: dict[tuple[Any, ...], Any] = {}  # follows from that and from the records of two rules

    def rule_changed(self, uid: str) -> None:
        """Forget what may be otherwise by a rule; where it is text alone, who hears and answers stays known."""
        before, after = self._of_rules.get(("rules", None)), self._version(uid, self.metas()[uid], None)
        self._of_rules = {}
        versions = (before.get(uid) if before is not None else None, after)
        labels = self.labels()  # of the rules in force, by which the next change is told
        if before is None or not all(version is None or version[0].keys() <= TEXT_ALONE for version in versions):
            self._of_blocks, self._of_pairs = {}, {}
        else:
            self._of_pairs = {key: found for key, found in self._of_pairs.items() if uid not in key and labels in key}

    def once(self, view: View, what: tuple[str, ...], find: Callable[..., Found], *given: Any) -> Found:
        """Return what follows from what the rules of a view hear, answer and declare; `find(*given)` is called once."""
        return _once(self._of_blocks if view is None else self._of_rules, (view, what), find, *given)

    def begin(self) -> None:
        """Start with another event: forget which orders were used, and those that may not be kept."""
        self.used = []
        if self.volatile:
            self.volatile = False
            self.forget()

    def paradoxes(self) -> list[tuple[str, ...]]:
        """Return the circles of precedence in the orders that this event used."""
        return list(dict.fromkeys(circle for order in self.used for circle in order.circles))

    def failures(self) -> list[Failure]:
        """Return what failed when the orders that this event used were asked for."""
        return [failure for order in self.used for failure in order.failures]

    # -- what is in force

    def metas(self) -> dict[str, RuleMeta]:
        """Return what is known of each rule that is or was, by uid; nothing before the founding."""
        law = self._documents.get(LAW)
        return law.get("rules", {}) if law is not None else {}

    def in_force(self, view: View = None) -> dict[str, Version]:
        """Return uid → (rule document, meta) of the rules in force, by number."""
        known: dict[str, Version] | None = self._of_rules.get(("rules", view))
        if known is not None:
            return known
        found = {uid: self._version(uid, meta, view) for uid, meta in self.metas().items()}
        present = {uid: version for uid, version in found.items() if version is not None}
        present = present if view is None else self._one_of_a_number(present)
        rules = dict(sorted(present.items(), key=lambda item: number_key(item[1][0]["rule"])))
        self._of_rules["rules", view] = rules
        return rules

    def _one_of_a_number(self, versions: dict[str, Version]) -> dict[str, Version]:
        """Return an earlier law without repealed rules whose number another was given since."""
        bearing: dict[str, list[str]] = {}
        for uid, (document, _meta) in versions.items():
            bearing.setdefault(document["rule"], []).append(uid)
        shared = [uid for uids in bearing.values() if len(uids) > 1 for uid in uids]
        made = {uid: next((each["seq"] for each in self.history(uid)), versions[uid][1]["seq"]) for uid in shared}
        metas = self.metas()
        for uid in [uid for uid in shared if not metas[uid]["in_force"]]:
            others = (made[other] for other in bearing[versions[uid][0]["rule"]] if other != uid)
            if any(first >= metas[uid]["seq"] for first in others):
                del versions[uid]
        return versions

    def newest(self) -> int:
        """Return the highest number from which on a change of the law applies; from there on it is the law of today."""
        applying = (meta["applies_from"] for meta in self.metas().values())
        return _once(self._of_rules, ("newest",), lambda: max(applying, default=0))

    def takes_back(self) -> bool:
        """Whether a rule in force takes acts back, so that what acts change must be kept."""
        scripts = (document.get("script") or "" for document, _ in self.in_force().values())
        return self.once(None, ("takes back",), lambda: any(map(takes_back, scripts)))

    def _version(self, uid: str, meta: RuleMeta, view: View) -> Version | None:
        """Return the version of a rule that a view sees: of those that apply, the most recently accepted."""
        today = self._documents.get(rule_key(uid)) if meta["in_force"] else None
        if view is None or (today is not None and meta["applies_from"] <= view):
            return (today, meta) if today is not None else None
        for revision in reversed(self.history(uid)):
            if revision["applies_from"] <= view:
                if revision.get("repealed"):
                    return None
                then = {k: revision[k] for k in ("revision", "at", "seq", "applies_from")}
                document = {**revision, "rule": meta["number"]}  # as players call it today, whatever it was called then
                return cast(RuleDocument, document), cast(RuleMeta, {**meta, **then})
        return None

    def history(self, uid: str) -> list[Revision]:
        """Return what a rule was, oldest first."""
        found = self._documents.get(history_key(uid))
        return found.get("revisions", []) if found is not None else []

    def last_wording(self, uid: str) -> Any:
        """Return what a rule was last before it was changed or repealed, None where it was nothing else."""
        return next((revision for revision in reversed(self.history(uid)) if not revision.get("repealed")), None)

    def resolve(self, ref: Any, view: View = None) -> str | None:
        """Return the uid of the rule in force that a reference names: by its number, else its uid."""
        if isinstance(ref, dict):
            ref = ref.get("uid")
        named: dict[str, str] | None = self._of_rules.get(("named", view))
        if named is None:  # of two with one number it means the first
            rules = self.in_force(view)
            by_number = {document["rule"]: uid for uid, (document, _meta) in reversed(rules.items())}
            named = self._of_rules["named", view] = {**{uid: uid for uid in rules}, **by_number}
        return named.get(str(ref))

    def linked(self, script: str, view: View = None) -> Linked:
        """Return a script together with those of the rules in force that it loads from, and that those load from."""
        if not loaded_rules(script):
            return (script,)

        def script_of(module: str) -> str:
            uid = self.resolve(module.removeprefix(RULE), view)
            version = None if uid is None else self.in_force(view)[uid]
            return "" if version is None or version[1].get("suspended") else version[0].get("script") or ""

        return linked(script, script_of)

    def loading(self, view: View = None) -> dict[str, str]:
        """Return the scripts of those rules in force that load from other rules, by uid."""

        def find() -> dict[str, str]:
            scripts = {uid: document.get("script") or "" for uid, (document, _meta) in self.in_force(view).items()}
            return {uid: script for uid, script in scripts.items() if loaded_rules(script)}

        return self.once(view, ("loading",), find)

    def linked_rules(self, uid: str, view: View = None) -> list[str]:
        """Return the uids of a rule and of all from which its script loads, itself or by way of others."""
        loading = self.loading(view)
        modules = self.linked(loading[uid], view)[1::2] if uid in loading else ()
        return [uid, *filter(None, [self.resolve(module.removeprefix(RULE), view) for module in modules])]

    def record(self, uid: str, view: View = None) -> ScriptRecord:
        """Return a rule for scripts."""
        slot = ("record", view, uid)
        return _once(self._of_rules, slot, lambda: rule_record(*self.in_force(view)[uid], self.labels()))

    def last_record(self, uid: str) -> ScriptRecord | None:
        """Return a rule for scripts as it is today, or was last; None where none of it is known."""
        if uid in self.in_force():
            return self.record(uid)
        last = self.last_wording(uid)
        known = cast(RuleMeta, {**self.metas()[uid], "revision": last["revision"]}) if last is not None else None
        return rule_record(cast(RuleDocument, last), known, self.labels()) if known is not None else None

    def labels(self) -> tuple[str, ...]:
        """Return every label that a rule in force bears."""
        used = (document.get("labels") or () for document, _ in self.in_force().values())
        return _once(self._of_rules, ("labels",), lambda: tuple(sorted({*chain.from_iterable(used)})))

    def declared(self, block: str, view: View = None) -> dict[str, tuple[str, Any]]:
        """Return what rules in force declare under a block (`defines.player`…): name → (uid of the lowest, spec)."""
        known = self._of_blocks if view is None else self._of_rules
        found: dict[str, Any] | None = known.get((view, "declared", block))
        if found is None:
            rules = ((uid, cast(Document, document)) for uid, (document, _meta) in self.in_force(view).items())
            found = known[view, "declared", block] = declared_in(rules, *block.split("."))
        return found

    def formerly_declared(self, block: str) -> dict[str, tuple[str, Any]]:
        """Return what rules declared under a block before they were changed or repealed, latest first."""
        found: dict[str, tuple[str, Any]] | None = self._of_rules.get(("formerly", block))
        if found is None:
            wordings = ((uid, rule) for uid in self.metas() for rule in reversed(self.history(uid)))
            past: Any = [(uid, rule) for uid, rule in wordings if "repealed" not in rule]
            past.sort(key=lambda each: -(each[1].get("until") or 0))
            found = self._of_rules["formerly", block] = declared_in(past, *block.split("."))
        return found

    def switches(self, view: View = None) -> dict[str, tuple[str, SettingSpec]]:
        """Return (id, declaration) of every switch that the rules in force declare, by its id and by its plain name."""

        def by_both_names() -> dict[str, tuple[str, SettingSpec]]:
            by_id = {name: (name, spec) for name, (_uid, spec) in self.declared("settings", view).items()}
            named = {spec["name"]: (name, spec) for name, spec in reversed(by_id.values()) if spec.get("name")}
            return {**named, **by_id}  # by its plain name where none has that as its id

        return self.once(view, ("switches",), by_both_names)

    def former_switch(self, name: str) -> tuple[str, SettingSpec] | None:
        """Return (id, declaration) of a switch, by its id or plain name, as a changed or repealed rule last had it."""
        declared = self.formerly_declared("settings")
        named = (key for key, (_uid, spec) in declared.items() if name in (key, spec.get("name")))
        key = next(named, None)
        return None if key is None else (key, declared[key][1])

    # -- who listens, in which order

    def listeners(self, *hooks: str, view: View = None) -> list[str]:
        """Return the uids of the rules with any of these hooks, highest precedence first."""
        slot = (view, "heard by", hooks)
        order: Order | None = self._of_rules.get(slot)
        if order is None or self.deciding:
            uids = list(dict.fromkeys(uid for hook in hooks for uid in self.by_default(hook, view)))
            if self.deciding:  # what is asked on the way to an order has none yet but that of the numbers
                return self._by_number(uids, view)
            order = self._of_rules[slot] = self._ranked(uids, view)
        return self._use(order)

    def _use(self, order: Order) -> list[str]:
        if (order.circles or order.failures) and order not in self.used:
            self.used.append(order)
        return order.uids

    def _by_number(self, uids: list[str], view: View) -> list[str]:
        rules = self.in_force(view)
        return sorted(uids, key=lambda uid: number_key(rules[uid][0]["rule"]))

    def _hook_index(self, view: View) -> dict[str, list[str]]:
        index: dict[str, list[str]] = {}
        for uid, (document, meta) in self.in_force(view).items():
            if not meta.get("suspended"):
                for hook in hook_names(document.get("script") or ""):
                    index.setdefault(hook, []).append(uid)
        return index

    def hooks_among(self, uid: str, hooks: tuple[str, ...], view: View = None) -> list[str]:
        """Return those of some hooks that a rule has, in the order given; none where it is not in force."""
        version = self.in_force(view).get(uid)
        own = hook_names(version[0].get("script") or "") if version else ()
        return [hook for hook in hooks if hook in own]

    def hooks(self, view: View = None) -> dict[str, list[str]]:
        """Return the hooks of rules that are awake, and who has each."""
        return self.once(view, ("hooks",), self._hook_index, view)

    def by_default(self, hook: str, view: View = None) -> list[str]:
        """Return the listeners of a hook by number ascending, the order nobody has to decide."""
        return self.hooks(view).get(hook, [])

    def order(self, uids: list[str], view: View = None) -> list[str]:
        """Return rules in order of precedence as the law itself decides it, pair by pair."""
        return self._use(self._ranked(uids, view))

    def _ranked(self, uids: list[str], view: View) -> Order:
        """Rank rules; the members of a circle stay together, by number ascending, which is noted as a paradox."""
        default = self._by_number(uids, view)
        order = Order(default)
        if len(default) < 2 or not self.by_default("decide_prevails", view):
            return order
        if len(default) > EVERY_PAIR_UP_TO:
            order.uids = self._insert_sorted(default, view, order)
            return order
        wins = dict.fromkeys(default, 0)
        for place, a in enumerate(default):
            for b in default[place + 1 :]:
                wins[self._higher(a, b, view, order)] += 1
        tiers = circles(default, wins)
        order.circles = [tuple(tier) for tier in tiers if len(tier) > 1]
        order.uids = [uid for tier in tiers for uid in tier]
        return order

    def _insert_sorted(self, default: list[str], view: View, order: Order) -> list[str]:
        ordered: list[str] = []
        for uid in default:
            low, high = 0, len(ordered)
            while low < high:
                middle = (low + high) // 2
                above = self._higher(ordered[middle], uid, view, order) == uid
                low, high = (low, middle) if above else (middle + 1, high)
            ordered.insert(low, uid)
        return ordered

    def _higher(self, a: str, b: str, view: View, order: Order) -> str:
        """Return which of two rules prevails."""
        slot, pair = (view, "prevails", a, b), (a, b, view, self.labels())
        found = self._of_rules.get(slot) or self._of_pairs.get(pair)
        if found is None:
            self.deciding, self.asked = True, False
            try:
                found = self._of_rules[slot] = self._prevails(self.record(a, view), self.record(b, view), view)
            finally:
                self.deciding = False
            if view is None and not self.asked:
                self._of_pairs[pair] = found
        winner, failures = found
        order.failures += [failure for failure in failures if failure not in order.failures]
        return str(winner or a)


def _once(known: dict[tuple[Any, ...], Any], slot: tuple[Any, ...], find: Callable[..., Found], *given: Any) -> Found:
    """Return what is known under a slot; `find(*given)` finds it where nothing is yet."""
    try:
        found: Found = known[slot]
    except KeyError:
        found = known[slot] = find(*given)
    return found


# -- rules in order of precedence, and the circles in which each prevails over the next


class Order(Struct):
    """Rules in order of precedence, the circles among them, and what failed when the law was asked about it."""

    uids: list[str]
    circles: list[tuple[str, ...]] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)


def circles(uids: list[str], wins: dict[str, int]) -> list[list[str]]:
    """Return rules in tiers, the highest first, from how often each prevails; a tier of several is a circle.

    Within a tier the order stays that of `uids`. The first k rules are higher than all others as soon as their wins
    are as many as the pairs among them and the pairs of them with others.

    >>> circles(["1", "2", "3", "4"], {"4": 3, "1": 1, "2": 1, "3": 1})
    [['4'], ['1', '2', '3']]
    """
    ranked = sorted(uids, key=lambda uid: -wins[uid])
    tiers: list[list[str]] = []
    start = total = 0
    for place, uid in enumerate(ranked, 1):
        total += wins[uid]
        if total == place * (len(uids) - place) + place * (place - 1) // 2:
            tiers.append([uid for uid in uids if uid in ranked[start:place]])
            start = place
    return tiers
