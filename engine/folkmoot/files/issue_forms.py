"""The forms by which people without git act, read from `issue_forms.yaml`: their fields, and how a forge hands them on.

A forge makes a text of a form: each field is a heading `### LABEL` with the value below it, a blank one
`_No response_`; what a field `renders` stands in a fence of code.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from folkmoot.files.fast_reader import load_own

LABEL = "game"
"""The label by which a forge knows that an issue belongs to the games."""
BLANK = "_No response_"
UNCHOSEN = "Nothing chosen: the fields below say it"
"""The first choice of every menu on a forge that presents the first as chosen; nobody has made one then."""
NO_CHOICE = frozenset({"None", UNCHOSEN})
"""What may stand for a choice that nobody made."""
STATEMENT = "A statement, for the record"
SPARED = frozenset({"to", "requests"})
"""Fields that a form has only where the rules have a use for them."""
QUESTION = "A question, left open for answers"
CHANGES = {
    "enact": "Enact a new rule",
    "amend": "Amend a rule",
    "repeal": "Repeal a rule",
    "transmute": "Transmute a rule",
}


class FormField(Struct, frozen=True):
    """A field: its id in addresses, its heading, and whether it is a line, a choice, or an area of many lines.

    What is written into an area that `renders` comes back in a fence of code of that language. `help` and `example`
    are what people read in it.
    """

    id: str
    label: str
    kind: Literal["line", "choice", "area"] = "line"
    renders: str = ""
    required: bool = False
    help: str = ""
    example: str = ""


class IssueForm(Struct, frozen=True):
    """A form as a forge offers it: what it is called, the title of its issues, and what stands above its fields.

    Every form made of it has all of the fields, and the first is a heading that no other form has. A forge fills lines
    and areas from a link, but no choices; so an act has its action's name in a line too.
    """

    title: str
    description: str
    opening: str
    fields: tuple[FormField, ...]
    issue_title: str = ""


GAME = FormField("game", "Game", required=True, help="Which of the games of this repository.")
"""Which game is meant; the first field of every form where there are several. A line, because a link can fill it."""
ISSUE_FORMS = msgspec.convert(load_own(Path(__file__).with_suffix(".yaml")), dict[str, IssueForm])
FORMS = {name: form.fields for name, form in ISSUE_FORMS.items()}
"""The fields of each form by its name."""
