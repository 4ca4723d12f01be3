"""The law as files that are no pages: plain text, and JSON with all wordings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from folkmoot.core.documents import Document
from folkmoot.core.rule_pasts import is_taken_over
from folkmoot.site.indented_json import indented
from folkmoot.site.law_changes import last_change
from folkmoot.site.rule_marks import founded_at
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import of_each_rule
from folkmoot.wording.invisible import visible
from folkmoot.wording.page_links import rule_path
from folkmoot.wording.stamps import stamp
from folkmoot.wording.translation import _

RULE = "-" * 72
SCHEMAS = "assets/schemas"
"""Where the schemas of files for programs lie below a site, each by the name of its file."""
Ranked = Sequence[tuple["Piece", str]]
"""What is said of rules, each with its rank as the files say it."""


class Piece(Struct, frozen=True):
    """What the files say of a rule: JSON before and after its rank, and lines of text."""

    json: tuple[str, str]
    text: str


@of_each_rule
def law_pieces(view: GameView, uid: str) -> Piece:
    """Return what the files say of a rule."""
    told = indented(_rule(view, uid)).replace("\n", "\n  ")
    before, _null, after = told.partition('\n   "rank": null')
    return Piece(("  " + before, after), visible("".join(f"{line}\n" for line in _rule_lines(view, uid))))


def law_files(view: GameView) -> dict[str, str]:
    """Return the files by their paths below the game's folder; the rules stand in order of precedence."""
    pieces = view.index(law_pieces)
    for error in (pieces[uid] for uid in (*view.ranked, *view.repealed)):
        if isinstance(error, Exception):
            raise error
    rules = [(pieces[uid], str(rank)) for rank, uid in enumerate(view.ranked, 1)]
    gone = [(pieces[uid], "null") for uid in view.repealed]
    text = _text(view, [piece.text for piece, _rank in rules])
    return {"law.txt": text, "law.json": _whole_json(view, rules, gone)}


def _whole_json(view: GameView, rules: Ranked, gone: Ranked) -> str:
    lists = (",\n".join(f'{before}\n   "rank": {rank}{after}' for (before, after), rank in
                        ((piece.json, rank) for piece, rank in each)) for each in (rules, gone))  # fmt: skip
    told = [f"[\n{each}\n ]" if each else "[]" for each in lists]
    head = (json.dumps(each, ensure_ascii=False) for each in (f"../{SCHEMAS}/law.json", view.title, _as_of(view)))
    names = ("$schema", "game", "at", "rules", "repealed")
    said = (f' "{name}": {value}' for name, value in zip(names, (*head, *told), strict=True))
    return "{\n" + ",\n".join(said) + "\n}\n"


def _rule(view: GameView, uid: str) -> dict[str, Any]:
    """Return what is known of a rule but its rank; `revisions` are its wordings up to the present one."""
    rule, meta = view.rule(uid), view.law.get(uid) or {}
    return {
        "id": uid,
        "number": view.number(uid),
        "title": str(rule.get("title") or ""),
        "page": rule_path(uid).removesuffix(".md") + ".html",
        "rank": None,
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


def _as_of(view: GameView) -> str | None:
    """Return since when the law is as it is: the time of its last change."""
    return stamp(view.index(last_change).get("at"))


def _text(view: GameView, rules: Sequence[str]) -> str:
    time = _as_of(view) or _("its founding")
    said = _("The law as of {time}, those that take precedence first.", time=time)
    return "".join([visible(f"{view.title}\n{said}\n\n"), *rules]).rstrip() + "\n"


def _rule_lines(view: GameView, uid: str) -> Iterator[str]:
    rule = view.rule(uid)
    title = " ".join(str(rule.get("title") or _("untitled")).split())
    yield from (RULE, _("Rule {number}: {title}", number=view.number(uid), title=title))
    labels = ", ".join(f"{name} {value}" for name, value in (rule.get("labels") or {}).items())
    yield from (f"[{labels}]", "") if labels else ("",)
    yield from (str(rule.get("text") or "").rstrip(), "")
