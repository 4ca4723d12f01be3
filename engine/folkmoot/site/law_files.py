"""The law as files that are no pages: plain text, and JSON with all wordings; rules stand in order of precedence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from folkmoot.core.documents import Document
from folkmoot.core.rule_pasts import is_taken_over
from folkmoot.site.page_json import indented
from folkmoot.site.revisions import founded_at, moments
from folkmoot.wording.game_view import GameView, stamp
from folkmoot.wording.markup import visible
from folkmoot.wording.page_links import rule_path

SCHEMAS = "assets/schemas"
"""Where the schemas of files for programs lie below a site, each by the name of its file."""


def law_files(view: GameView) -> dict[str, str]:
    """Return the files by their paths below the game's folder."""
    at = stamp(next((moment.at for moment in reversed(moments(view))), None))
    told = {
        "$schema": f"../{SCHEMAS}/law.json",
        "game": view.title,
        "at": at,
        "rules": [_rule(view, uid, rank) for rank, uid in enumerate(view.ranked, 1)],
        "repealed": [_rule(view, uid, None) for uid in view.repealed],
    }
    head = f"The law as of {at or 'its founding'}, those that take precedence first."
    lines = [view.title, head, "", *(line for uid in view.ranked for line in _lines(view, uid))]
    return {"law.txt": visible("\n".join(lines).rstrip()) + "\n", "law.json": indented(told) + "\n"}


def _rule(view: GameView, uid: str, rank: int | None) -> dict[str, Any]:
    """Return what is known of a rule; `revisions` are its wordings up to the present one."""
    rule, meta = view.rule(uid), view.law.get(uid) or {}
    return {
        "id": uid,
        "number": view.number(uid),
        "title": str(rule.get("title") or ""),
        "page": rule_path(uid).removesuffix(".md") + ".html",
        "rank": rank,
        "labels": dict(rule.get("labels") or {}),
        "text": str(rule.get("text") or ""),
        "script": str(rule.get("script") or ""),
        "suspended": str(meta.get("suspended") or ""),
        "former_numbers": view.former_numbers(uid),
        "revisions": [_revision(view, each) for each in view.revisions(uid)],
    }


def _revision(view: GameView, revision: Document) -> dict[str, Any]:
    return {
        "revision": revision.get("revision"),
        "called": str(revision.get("called") or ""),
        "number": str(revision.get("rule") or ""),
        "title": str(revision.get("title") or ""),
        "text": None if revision.get("unknown") else str(revision.get("text") or ""),
        "repealed": bool(revision.get("repealed")),
        "since": stamp(revision.get("at")),
        "cause": str(revision.get("cause") or ""),
        "entry": revision.get("seq"),
        "applies_from": revision.get("applies_from") or 0,
        **{name: str(revision[name]) for name in ("dated", "change", "note") if revision.get(name)},
        **({"taken_over": True} if is_taken_over(revision, founded_at(view)) else {}),
    }


def _lines(view: GameView, uid: str) -> Iterator[str]:
    rule = view.rule(uid)
    title = " ".join(str(rule.get("title") or "untitled").split())
    yield from ("-" * 72, f"Rule {view.number(uid)}: {title}")
    labels = ", ".join(f"{name} {value}" for name, value in (rule.get("labels") or {}).items())
    yield from (f"[{labels}]", "") if labels else ("",)
    yield from (str(rule.get("text") or "").rstrip(), "")
