"""The pages that rules show: what each says, or how it fails."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from folkmoot.core.documents import RuleDocument
from folkmoot.core.portable_names import folded
from folkmoot.core.records import ScriptRecord
from folkmoot.kernel.play import Play


def pages_of(play: Play, skip: Collection[str] = ()) -> dict[str, ScriptRecord]:
    """Return every page that a rule shows, but those of the rules to skip."""
    shown: dict[str, ScriptRecord] = {}
    for uid, (document, meta) in play.law.in_force().items():
        if uid in skip or meta.get("suspended"):
            continue
        for hook in play.law.hooks_of(document):
            if hook.startswith("show_"):
                name = hook.removeprefix("show_")
                if folded(name) not in map(folded, shown):  # the first that has a name has its file on every system
                    shown[name] = _page(play, uid, document, hook)
    return shown


def _page(play: Play, uid: str, document: RuleDocument, hook: str) -> ScriptRecord:
    failures = len(play.failures)
    blocks = play.advise(uid, hook, [])
    page: ScriptRecord = {
        "title": document["title"],
        "rule": uid,
        "blocks": unmarked(blocks) if isinstance(blocks, list) else [],
    }
    if len(play.failures) > failures:
        page |= {name: value for name, value in play.failures[-1].items() if name in ("error", "line", "column")}
    return page


def unmarked(value: Any) -> Any:
    """Return what a script gave without the marks of what were structs there."""
    if isinstance(value, dict):
        return {key: unmarked(item) for key, item in value.items() if key != "$"}
    return [unmarked(item) for item in value] if isinstance(value, list) else value
