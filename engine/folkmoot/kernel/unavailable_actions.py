"""Why nobody could carry out an action: what became of each rule that offers it, and who can mend that."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from folkmoot.core.documents import Document, RuleDocument, RuleMeta
from folkmoot.core.misspelt import meant_by
from folkmoot.core.values import told
from folkmoot.kernel.errors import shortened
from folkmoot.kernel.failures import WAKING
from folkmoot.kernel.kernel_acts import KERNEL_ACTS
from folkmoot.language.tree import hook_names

if TYPE_CHECKING:
    from folkmoot.kernel.play import Play

RULES_SHOWN = 3
REPEALED_LOOKED_AT = 10


def why_nobody(play: Play, do: str) -> str:
    """Return in a sentence why no rule in force that offers an action carried it out."""
    rules = play.law.in_force(play.view).items()
    said = [
        f"rule {document['rule']} {_why_not(play, do, uid, document, meta)}"
        for uid, (document, meta) in rules
        if do in (document.get("actions") or {})
    ]
    more = [f"and {len(said) - RULES_SHOWN} more rules did not"] if len(said) > RULES_SHOWN else []
    return f"no rule could carry out {told(do)}: {'; '.join([*said[:RULES_SHOWN], *more])}"


def _why_not(play: Play, do: str, uid: str, document: RuleDocument, meta: RuleMeta) -> str:
    hook = f"do_{do}"
    if uid in play.silenced.dead or play.silenced.silent:
        return f"is not heard, because {play.silenced.dead.get(uid, 'no script is in this act')}"
    if meta.get("suspended"):
        since = f" since entry {meta['asleep_since']}" if meta.get("asleep_since") else ""
        return f"sleeps{since} ({shortened(str(meta['suspended']))}): {WAKING}"
    left_out = play.silenced.why_left_out(uid, hook)
    if left_out is not None:
        return f"was left out of this act ({shortened(left_out)}); try again"
    if hook not in hook_names(document.get("script") or ""):
        return f"declares it, but its script has no {hook}: a proposal has to amend it"
    failures = [each for each in play.failures if (each["rule"], each["hook"]) == (uid, hook)]
    return f"failed in its {hook}{_at(failures[0])}: {shortened(failures[0]['error'])}" if failures else "did not"


def _at(failure: Document) -> str:
    return f" (line {failure['line']} of its script)" if failure.get("line") else ""


def unknown_action(play: Play, do: str) -> str:
    """Return in a sentence that no rule in force offers an action: what was meant, or who offered it."""
    before = _offered_before(play, do)
    near = nearest(do, [*play.law.declared("actions", play.view), *KERNEL_ACTS])
    return f"no rule in force offers the action {told(do)}{before or near}"


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the question whether a known word was meant, "" where none is close."""
    near = meant_by(word, known)
    return f"; did you mean {told(near)}?" if near else ""


def _offered_before(play: Play, do: str) -> str:
    """Return which of the rules repealed last offered an action, "" where none of them did."""
    gone = [(meta["seq"], uid) for uid, meta in play.law.metas().items() if not meta["in_force"]]
    for seq, uid in sorted(gone, reverse=True)[:REPEALED_LOOKED_AT]:
        last = next((each for each in reversed(play.law.history(uid)) if not each.get("repealed")), None)
        if last is not None and do in (last.get("actions") or {}):
            return f"; rule {last['rule']} did, which was repealed in entry {seq}"
    return ""
