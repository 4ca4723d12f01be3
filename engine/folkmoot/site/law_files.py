"""The law as files that are no pages: plain text, short and with its history, YAML and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from folkmoot.core.calendar import write_stamp
from folkmoot.core.documents import Document
from folkmoot.files.canonical import UnwritableError, write_yaml
from folkmoot.wording.game_view import GameView, seconds
from folkmoot.wording.invisible import visible

RULE = "-" * 72


def law_files(view: GameView) -> dict[str, str]:
    """Return the files by their paths below the game's folder; the rules stand in order of precedence."""
    rules = [_rule(view, uid, rank) for rank, uid in enumerate(view.ranked, 1)]
    gone = [_rule(view, uid, None) for uid in view.repealed]
    data = {"game": view.title, "at": _stamp(view.now), "rules": rules, "repealed": gone}
    return {
        "law.txt": _text(view, history=False),
        "law-history.txt": _text(view, history=True),
        "law.json": json.dumps(data, ensure_ascii=False, indent=1, default=str) + "\n",
        "law.yaml": _yaml(data),
    }


def _yaml(data: Document) -> str:
    try:
        return write_yaml(data)
    except UnwritableError as error:
        return f"# This law holds what no YAML file can: {' '.join(str(error).split())}. law.json holds it.\n"


def _rule(view: GameView, uid: str, rank: int | None) -> dict[str, Any]:
    """Return what is known of a rule; `revisions` are its earlier and present wordings, oldest first."""
    rule, meta = view.rule(uid), view.law.get(uid) or {}
    return {
        "id": uid,
        "number": view.number(uid),
        "title": str(rule.get("title") or ""),
        "rank": rank,
        "labels": dict(rule.get("labels") or {}),
        "text": str(rule.get("text") or ""),
        "script": str(rule.get("script") or ""),
        "suspended": str(meta.get("suspended") or ""),
        "former_numbers": view.former_numbers(uid),
        "revisions": [_revision(each) for each in view.revisions(uid)],
    }


def _revision(revision: Document) -> dict[str, Any]:
    return {
        "revision": revision.get("revision"),
        "called": str(revision.get("called") or ""),
        "number": str(revision.get("rule") or ""),
        "title": str(revision.get("title") or ""),
        "text": str(revision.get("text") or ""),
        "repealed": bool(revision.get("repealed")),
        "since": _stamp(revision.get("at")),
        "cause": str(revision.get("cause") or ""),
        "entry": revision.get("seq"),
    }


def _stamp(at: object) -> str | None:
    known = seconds(at)
    return None if known is None else write_stamp(known)


def _text(view: GameView, *, history: bool) -> str:
    head = [view.title, f"The law as of {_stamp(view.now) or 'its founding'}, those that take precedence first.", ""]
    lines = [*head, *(line for uid in view.ranked for line in _rule_lines(view, uid, history))]
    if history and view.repealed:
        lines += [RULE, "NO LONGER IN FORCE", ""]
        lines += [line for uid in view.repealed for line in _rule_lines(view, uid, history)]
    return visible("\n".join(lines).rstrip()) + "\n"


def _rule_lines(view: GameView, uid: str, history: bool) -> Iterator[str]:
    rule = view.rule(uid)
    yield from (RULE, f"Rule {view.number(uid)}: {' '.join(str(rule.get('title') or 'untitled').split())}")
    labels = ", ".join(f"{name} {value}" for name, value in (rule.get("labels") or {}).items())
    yield from (f"[{labels}]", "") if labels else ("",)
    yield from (str(rule.get("text") or "").rstrip(), "")
    if history:
        yield from ("History:", *(_history_line(each) for each in view.revisions(uid)), "")
        for earlier in reversed(view.wordings(uid)[:-1]):
            yield from (f"  Wording of revision {earlier.get('revision')}:", "")
            yield from (f"    {line}".rstrip() for line in str(earlier.get("text") or "").rstrip().splitlines())
            yield ""


def _history_line(revision: Document) -> str:
    what = "repealed" if revision.get("repealed") else f"revision {revision.get('revision')}"
    by = str(revision.get("cause") or "the founding")
    return f"  {_stamp(revision.get('at')) or ''} {what} by {by}".rstrip()
