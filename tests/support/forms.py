"""Issue forms as a person fills them in."""

from __future__ import annotations

from folkmoot.files.issue_forms import BLANK, FORMS, GAME, UNCHOSEN, FormField


def written(
    name: str, values: dict[str, str], *, gitea: bool = False, game: str = "", preselected: bool = False
) -> str:
    """Return what a forge makes of a form; Gitea takes a longer fence where the text holds one, and ends in a blank line.

    Servers up to Gitea 1.22 and Forgejo 7 have `preselected` the first choice of each menu that nobody touched.
    """
    parts = []
    if preselected:
        values = {**{each.id: UNCHOSEN for each in FORMS[name] if each.kind == "choice"}, **values}
    for each in (GAME, *FORMS[name]):
        value = game if each is GAME else values.get(each.id, "")
        if each is GAME and not game:
            continue
        parts.append(f"### {each.label}\n\n{_shown(each, value, gitea=gitea)}")
    return "\n\n".join(parts) + ("\n\n" if gitea else "\n")


def _shown(each: FormField, value: str, *, gitea: bool) -> str:
    if not value:
        return BLANK
    if not each.renders:
        return value
    fence = "```"
    while gitea and fence in value:
        fence += "`"
    return f"{fence}{each.renders}\n{value}\n{fence}"
