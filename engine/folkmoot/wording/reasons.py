"""Reasons as sentences with links: one set of words for the site, the terminal and pull requests.

The record keeps codes and arguments. What a code means stands in `reason_codes.yaml`; here it is said of the rules,
players and proposals at hand, the same on every surface.
"""

from __future__ import annotations

from pathlib import Path

from folkmoot.core.documents import Document
from folkmoot.core.records import Reason
from folkmoot.files.fast_reader import load_own
from folkmoot.wording.catalogue import keys, quoted, say
from folkmoot.wording.markup import Html, el, escape, join
from folkmoot.wording.page_links import Here, humane
from folkmoot.wording.prose import phrase

GROUPS: dict[str, dict[str, str]] = load_own(Path(__file__).with_name("reason_codes.yaml"))
"""The meanings by code: notes in the record, refusals, what goes wrong around a game, and in the reading of a file."""
CODES = {code: meaning for group in GROUPS.values() for code, meaning in group.items()}
"""Every code of the engine with its meaning; the law of a game may add its own E- codes."""


def reason(here: Here, why: Reason) -> Html:
    """Return one reason: its code, its sentence and the rule it rests on."""
    return join([el("code", why["code"]), " ", said(here, why)])


def said(here: Here, why: Reason) -> Html:
    """Return one reason as a sentence without code and full stop, citing its rule."""
    code, given = why["code"], why.get("args") or {}
    fields = {**given, "rule": why.get("rule")}
    for key in (f"reason {code} {given.get('question')}", f"reason {code}"):
        if key in keys():
            return say(here, key, fields)
    known = next((given[name] for name in ("why", "message", "text") if given.get(name)), None)
    words, ruled = str(known or "").rstrip("."), bool(known and why.get("rule"))
    sentence = quoted(here, words) if ruled else phrase(words) if known else _meaning(here, code, given)
    about = given.get("of") if not words.startswith(str(given.get("of") or "")) else None
    key = "rule and reason" if ruled else "reason"
    return say(here, key, {"about": about, "said": sentence, "rule": why.get("rule")})


def _meaning(here: Here, code: str, given: Document) -> Html:
    """Return what a code means where nothing more is recorded, else what is recorded."""
    rest = {name: value for name, value in given.items() if name != "of"}
    if rest or not code.startswith("E-"):
        return join((join([humane(name), " ", here.value(value)]) for name, value in rest.items()), ", ")
    return escape(CODES[code].rstrip(".")) if code in CODES else say(here, "refused", {"code": code})
