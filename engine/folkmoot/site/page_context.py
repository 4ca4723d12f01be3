"""What any page of a game may show beside what it is about: names, numbers and titles, and what stands around it."""

from __future__ import annotations

from folkmoot.site.chrome import second_rows
from folkmoot.site.crest import crest
from folkmoot.site.output import digest_of, encoded
from folkmoot.site.page_data import colours
from folkmoot.wording.game_view import KERNEL_KINDS, GameView
from folkmoot.wording.indices import proposal_names

ACTS_CHANGE = ("head", "proposals/", "things/")
"""How documents begin that acts change and pages of what is settled do not show, but for whose things are."""


def context_of(view: GameView) -> str:
    """Return a digest of all documents of a game but those that `ACTS_CHANGE`, and of what is beside documents."""
    documents = {key: found for key, found in view.documents.items() if not key.startswith(ACTS_CHANGE)}
    owners = {
        key: sorted(map(str, found)) for key, found in view.documents.items()
        if key.startswith("things/") and key.removeprefix("things/") not in KERNEL_KINDS
    }  # fmt: skip
    voted_on = {name: (*named, view.displays(name)) for name, named in view.index(proposal_names).items()}
    around = [view.slug, view.title, view.branch, view.alone, view.address, view.year, crest(view), second_rows(view)]
    parts = [encoded([key, documents[key]]) for key in sorted(documents)]
    return digest_of(b"".join([*parts, encoded([owners, colours(view), list(view.order), voted_on, around])]))
