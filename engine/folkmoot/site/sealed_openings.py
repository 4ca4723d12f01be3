"""What an entry opened of what was sealed, with all that proves it, down to a line for a shell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from folkmoot.core.keys import sealed_key
from folkmoot.core.problems import ProblemError
from folkmoot.core.records import Entry
from folkmoot.kernel.redaction import redacted_openings
from folkmoot.sealing.commitments import committed_bytes
from folkmoot.sealing.contexts import AnyContext, Context, EntryContext
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, el, join
from folkmoot.wording.page_links import Here
from folkmoot.wording.translation import _

MOST = 60
"""How many openings of one entry are shown with their proof; `moot verify` checks all."""
LARGEST = 2_000
"""Bytes under a commitment up to which a line for a shell can hold them."""
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)


def proofs(here: Here, entry: Entry) -> Html:
    """Return what proves each value that an entry opened: commitment, salt, where it was committed to, how to check."""
    found = [_proof(here, each) for each in _opened(entry)]
    return el("details", el("summary", _("Proof of what was opened")), join(found)) if found else Html("")


def _opened(entry: Entry) -> list[Any]:
    gone = redacted_openings(entry)
    found = [each for n, each in enumerate(entry.get("sealed") or ()) if "opened" in each and n not in gone]
    return found[:MOST]


def _proof(here: Here, opened: Any) -> Html:
    known: dict[str, Any] = (here.view.document(sealed_key(opened["opened"])) or {}).get(str(opened["opened"])) or {}
    told = (
        (_("Sealed value"), opened["opened"]),
        (_("Value"), here.value(opened.get("value"))),
        (_("Salt"), el("code", str(opened.get("salt") or ""))),
        (_("Commitment"), el("code", str(known.get("commitment") or ""))),
        (_("Committed to in"), here.entry(known.get("seq"))),
    )
    listed = el("dl", join(el("div", el("dt", name), el("dd", value)) for name, value in told), class_="facts")
    return join([listed, *_checks(here.view, known, opened)])


def _checks(view: GameView, known: dict[str, Any], opened: Any) -> Iterator[Html]:
    """Yield a line for a shell that prints the commitment, where it is short enough for one."""
    try:
        context = _context(view, known, opened)
        data = committed_bytes(context, opened["value"], bytes.fromhex(opened["salt"]))
    except (ProblemError, KeyError, TypeError, ValueError):
        return
    if len(data) <= LARGEST:
        yield el("p", _("This line prints the commitment, made of its parts as the format of sealed data says:"))
        yield el("pre", el("code", f"printf %s {data.hex()} | xxd -r -p | sha256sum"))


def _context(view: GameView, known: dict[str, Any], opened: Any) -> AnyContext:
    if opened.get("context"):
        return Context(**opened["context"])
    if not _DIGEST.fullmatch(view.founding):
        raise KeyError("founding")
    return EntryContext(view.founding, known["seq"], str(known["place"]))
