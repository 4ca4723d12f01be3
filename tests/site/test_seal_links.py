"""Pages of a game lead to the one that seals in the browser, with all that it needs to know behind `#`."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

from folkmoot.kernel.proposals import content_digest
from folkmoot.sealing.commitments import Context
from folkmoot.site.page_model import Sheet, made
from folkmoot.site.pages.act import act_page
from folkmoot.site.sealed_values import sealed_arguments
from folkmoot.wording.game_view import GameView
from tests.support.site_game import HOME, proposal_text, render

FOUNDING = "5a" * 32
KEYS: list[dict[str, Any]] = [
    {"number": number, "key": f"age1{'q' * 57}{number}", "seeds": "ab" * 32, "since": 0, "after": 0}
    for number in (1, 2)
]
PROPOSAL: Any = {
    "id": "proposal/301", "kind": "proposal", "number": "301", "title": "Tea & cake", "author": "ann", "state": "open",
    "changes": [], "requests": [], "electorate": ["ann"], "ballots": {}, "sealed": True,
}  # fmt: skip


def view(keys: list[dict[str, Any]] = KEYS, proposal: Any = PROPOSAL, founding: str = FOUNDING) -> GameView:
    card = {"card": {"type": "string", "sealed": "keeper"}, "to": {"type": "player"}}
    action = {"summary": "Play a card", "arguments": card}
    documents = {
        "game": {"title": "Cards", "sealing": keys, "forge": {"kind": "gitea", "home": HOME}},
        "law": {"rules": {"7": {"number": "7", "in_force": True}}},
        "rules/7": {"number": "7", "title": "Play", "text": "Play.", "script": "", "actions": {"play": action}},
        "proposals/300/301": proposal,
        "roster": {"ann": {"name": "Ann"}},
    }
    entries: Any = [{"seq": 1}, {"seq": 2, "prev": founding}]
    return GameView(slug="cards", documents=documents, entries=entries, order=["7"])


def act_text(game: GameView) -> str:
    return render(made(game, Sheet("act.md", act_page)))


def link(text: str, words: str) -> tuple[str, dict[str, str]]:
    """Return where a link leads, and what it says behind `#`."""
    found = re.search(rf'<a href="([^"]*)"[^>]*>{words}</a>', text)
    assert found is not None, text
    address = urlsplit(unescape(found[1]))
    assert not address.query, "that would reach a server"
    return address.path, {name: values[0] for name, values in parse_qs(address.fragment, strict_parsing=True).items()}


def test_an_argument_that_is_sealed_leads_to_the_page_that_seals_it() -> None:
    text = act_text(view())
    assert link(text, "Seal card in the browser") == ("../seal.html", {
        "recipient": KEYS[1]["key"], "keeper": "2", "game": FOUNDING, "act": "play", "argument": "card"})  # fmt: skip
    assert text.count("seal.html") == 1, "the other argument is said in clear"
    specs = {"card": {"sealed": "author"}, "hand": {"sealed": "nobody"}, "to": {"type": "player"}}
    assert sealed_arguments(specs) == ["hand"], (
        "what somebody seals to themselves is not sealed to the keeper on a page"
    )


def test_a_vote_that_is_sealed_leads_there_while_it_is_open() -> None:
    path, said = link(proposal_text(view(), "proposal/301"), "Seal your vote in the browser")
    assert path == "../../seal.html"
    assert (said["act"], said["argument"]) == ("vote", "choice")
    assert (said["target"], said["target_digest"]) == ("proposal/301", content_digest(PROPOSAL))
    place: Any = {name: part for name, part in said.items() if name not in ("recipient", "keeper")}
    assert Context(**place, author="ann", keeper=int(said["keeper"]), nonce="0" * 32).target == "proposal/301"


def test_without_a_keeper_or_an_open_sealed_vote_nothing_leads_there() -> None:
    for game in (view([]), view(founding="cards")):
        assert "seal.html" not in act_text(game) + proposal_text(game, "proposal/301")
    for other in ({"sealed": False}, {"state": "closed"}):
        assert "seal.html" not in proposal_text(view(proposal=PROPOSAL | other), "proposal/301")
