"""Sealed values on pages: links to the page that seals one in the browser, and the proof of those that were opened."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from folkmoot.core.documents import Document
from folkmoot.core.keys import GAME, sealed_key
from folkmoot.core.problems import ProblemError
from folkmoot.core.records import Entry
from folkmoot.core.sealed_data import AUTHOR
from folkmoot.kernel.act_declarations import VOTE
from folkmoot.kernel.proposals import content_digest
from folkmoot.kernel.redaction import redacted_openings
from folkmoot.site.page_data import Link
from folkmoot.site.pen import bit
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html
from folkmoot.wording.page_links import Here

PAGE = "../seal.html"
"""Seen from the folder of a game."""
MOST = 60
"""How many openings of one entry are shown with their proof; `moot verify` checks all."""
LARGEST = 2_000
"""Bytes under a commitment up to which a line for a shell can hold them."""
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)


def seal_address(here: Here, act: str, argument: str, **target: str) -> str:
    """Return where an argument of an act is sealed to the keeper; "" where the game has no key of one yet.

    What it says stands behind `#`, so that no server learns it. `target` is what the act is about, `target_digest` the
    digest of that.
    """
    keys = here.view.kept(GAME).get("sealing") or ()
    if not keys or not _DIGEST.fullmatch(here.view.founding):
        return ""
    place = {"recipient": str(keys[-1]["key"]), "keeper": str(keys[-1]["number"]), "game": here.view.founding}
    said = urlencode({**place, "act": act, "argument": argument, **target}, quote_via=quote)
    return f"{here.beside(PAGE)}#{said}"


def address_of_vote(here: Here, proposal: Document) -> str:
    """Return where a vote on a proposal is sealed, "" unless ballots on it are sealed and the vote is open."""
    if not proposal.get("sealed") or proposal.get("state") != "open":
        return ""
    found: Any = proposal
    return seal_address(here, VOTE, "choice", target=str(proposal["id"]), target_digest=content_digest(found))


def links_of_act(here: Here, name: str, arguments: Mapping[str, Any]) -> tuple[Link, ...]:
    """Return links that seal the arguments of an act which its action declares as sealed."""
    found = ((each, seal_address(here, name, each)) for each in sealed_arguments(arguments))
    return tuple(Link(f"Seal {each} in the browser", to) for each, to in found if to)


def sealed_arguments(arguments: Mapping[str, Any]) -> list[str]:
    """Return the names of the arguments that are sealed to the keeper."""
    return [name for name, spec in arguments.items() if (spec or {}).get("sealed") not in (None, AUTHOR)]


def proofs(here: Here, entry: Entry) -> Html:
    """Return what proves each value that an entry opened: commitment, salt, where it was committed to, how to check."""
    gone = redacted_openings(entry)
    found = [each for n, each in enumerate(entry.get("sealed") or ()) if "opened" in each and n not in gone]
    return bit("proofs", [_proof(here, each) for each in found[:MOST]], "proofs.html") if found else Html("")


def _proof(here: Here, opened: Any) -> dict[str, object]:
    known: dict[str, Any] = (here.view.document(sealed_key(opened["opened"])) or {}).get(str(opened["opened"])) or {}
    return {
        "number": opened["opened"],
        "value": here.value(opened.get("value")),
        "salt": str(opened.get("salt") or ""),
        "commitment": str(known.get("commitment") or ""),
        "entry": here.entry(known.get("seq")),
        "data": _committed(here.view, known, opened),
    }


def _committed(view: GameView, known: dict[str, Any], opened: Any) -> str:
    """Return the bytes of which the commitment is the digest, as a line for a shell takes them; "" for too many."""
    from folkmoot.sealing.commitments import Context, EntryContext, committed_bytes

    try:
        if opened.get("context"):
            context: Context | EntryContext = Context(**opened["context"])
        elif _DIGEST.fullmatch(view.founding):
            context = EntryContext(view.founding, known["seq"], str(known["place"]))
        else:
            return ""
        data = committed_bytes(context, opened["value"], bytes.fromhex(opened["salt"]))
    except (ProblemError, KeyError, TypeError, ValueError):
        return ""
    return data.hex() if len(data) <= LARGEST else ""
