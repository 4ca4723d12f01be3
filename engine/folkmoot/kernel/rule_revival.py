"""Changes of the law taken back: a rule is again what it was before an entry, as its next revision."""

from __future__ import annotations

from typing import cast

from folkmoot.core.documents import Revision, RuleMeta, RuleParts
from folkmoot.core.keys import LAW
from folkmoot.core.records import Effect
from folkmoot.core.rule_blocks import RULE_PARTS
from folkmoot.kernel.play import Play
from folkmoot.kernel.rule_changes import enact, renumber, repeal, revise_rule

CHANGED = "the rule has changed since"
BECAUSE = "taken back"


def take_changes_back(play: Play, cause: str) -> None:
    """Take back what a proposal changed of rules; one that has changed since stays, and a reason says so."""
    for uid, meta in reversed(list(play.documents[LAW]["rules"].items())):
        effect = cast(Effect, {"of": uid})
        if meta["cause"] == cause:
            made = _before(play, uid, meta["seq"]) is None
            (revive if not meta["in_force"] else unmake if made else restore)(play, effect, meta["seq"])
        elif any(revision.get("cause") == cause for revision in play.law.history(uid)):
            play.reason("E-STALE", why=CHANGED, uid=uid)


def unmake(play: Play, effect: Effect, entry: int) -> str:
    """Repeal a rule that an entry enacted; returns why that cannot be, "" where it is done."""
    meta = _meta(play, effect)
    if meta is None or not meta["in_force"] or meta["seq"] not in (entry, play.seq):
        return CHANGED
    repeal(play, effect["of"], BECAUSE)
    return ""


def restore(play: Play, effect: Effect, entry: int) -> str:
    """Give a rule the parts that it had before the change of an entry; several of one entry go back one by one."""
    uid, meta = effect["of"], _meta(play, effect)
    if meta is None or not meta["in_force"] or meta["seq"] not in (entry, play.seq):
        return CHANGED
    before = _before(play, uid, entry)
    if before is None:  # the entry made it too, and that is taken back next
        return ""
    document = play.law.in_force()[uid][0]
    parts = {part: before.get(part) for part in RULE_PARTS}
    if any(document.get(part) != value for part, value in parts.items() if document.get(part) or value):
        revise_rule(play, uid, cast(RuleParts, parts), "amend")
    return ""


def revive(play: Play, effect: Effect, entry: int) -> str:
    """Bring a rule that an entry repealed into force again, under its number; E-DUP where another rule has that."""
    uid, meta = effect["of"], _meta(play, effect)
    if meta is None or meta["in_force"] or meta["seq"] != entry:
        return CHANGED
    last = next(revision for revision in reversed(play.law.history(uid)) if not revision.get("repealed"))
    parts = {part: last[part] for part in RULE_PARTS if last.get(part)}
    enact(play, cast(RuleParts, parts), meta["number"], uid=uid)
    metas = play.documents[LAW]["rules"]
    kept = ("amendments", "enacted_at", "former_numbers")
    known = {name: meta[name] for name in kept}  # type: ignore[literal-required]
    again = cast(RuleMeta, {**metas[uid], **known, "revision": meta["revision"] + 1})
    play.documents.assign(LAW, metas, uid, again)
    play.law.forget()
    return ""


def renumber_back(play: Play, effect: Effect, _entry: int) -> str:
    """Give a rule the number that it had before."""
    meta = _meta(play, effect)
    if meta is None or not meta["in_force"] or meta["number"] != effect["to"]:
        return CHANGED
    renumber(play, effect["of"], effect["from"])
    return ""


def _meta(play: Play, effect: Effect) -> RuleMeta | None:
    return play.documents[LAW]["rules"].get(effect["of"])


def _before(play: Play, uid: str, entry: int) -> Revision | None:
    """Return what a rule was before an entry changed it."""
    earlier = [each for each in play.law.history(uid) if each["seq"] < entry and not each.get("repealed")]
    return earlier[-1] if earlier else None
