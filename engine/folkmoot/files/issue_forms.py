"""The forms by which people without git act: which fields each has, and under which headings a forge hands them on.

A forge makes a text of a form: each field is a heading `### LABEL` with the value below it, a blank one
`_No response_`; what a field `renders` stands in a fence of code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

LABEL = "game"
"""The label by which a forge knows that an issue belongs to the games."""
BLANK = "_No response_"
UNCHOSEN = "None"
"""What a forge may write for a choice that nobody made."""
STATEMENT = "A statement, for the record"
QUESTION = "A question, left open for answers"
CHANGES = {
    "enact": "Enact a new rule",
    "amend": "Amend a rule",
    "repeal": "Repeal a rule",
    "transmute": "Transmute a rule",
}


@dataclass(frozen=True, slots=True)
class FormField:
    """A field: its id in addresses, its heading, and whether it is a line, a choice, or an area of many lines.

    What is written into an area that `renders` comes back in a fence of code of that language.
    """

    id: str
    label: str
    kind: Literal["line", "choice", "area"] = "line"
    renders: str = ""
    required: bool = False


GAME = FormField("game", "Game", required=True)
"""Which game is meant; the first field of every form where there are several. A line, because a link can fill it."""

FORMS: dict[str, tuple[FormField, ...]] = {
    "act": (
        FormField("choice", "Action", "choice"),
        FormField("action", "Action by name"),
        FormField("arguments", "Arguments", "area", renders="yaml"),
    ),
    "propose": (
        FormField("change", "Rule-change", "choice", required=True),
        FormField("rule", "Rule"),
        FormField("to", "Status"),
        FormField("title", "Title of the rule"),
        FormField("text", "Text", "area", renders="markdown"),
        FormField("script", "Script", "area", renders="python"),
        FormField("requests", "Requests", "area", renders="yaml"),
    ),
    "say": (
        FormField("what", "What this is", "choice", required=True),
        FormField("text", "Text", "area", required=True),
    ),
    "join": (
        FormField("id", "Short name", required=True),
        FormField("name", "Full name"),
        FormField("more", "More about you", "area", renders="yaml"),
    ),
}
"""The fields of each form by its name; every form has all of them, and the first is a heading that no other form has.

A forge fills lines and areas from a link, but no choices; so an act has its action's name in a line too.
"""
