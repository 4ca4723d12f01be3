"""The part of a comment that says what would come of adopting a proposal, as it was played on a copy."""

from __future__ import annotations

from folkmoot.referee.comment_model import CommentModel
from folkmoot.referee.markdown import code, listed, said
from folkmoot.referee.preview import Preview

MOST_LISTED = 30
NOTHING_ELSE = "- Nothing but the change itself."


def forecast(model: CommentModel) -> list[str]:
    """Return what adoption of a proposal would do, and its defeat, as far as the law lets it come to that."""
    preview = model.preview
    if preview is None or model.outcome or not preview.changes or preview.died:
        return []
    if not preview.proper.ok:  # the law does not let it come to that
        return []
    passing, failing = ("acceptance", "rejection") if preview.judged else ("adoption", "defeat")
    if not preview.adopted:
        told = _falls(preview)
        return [f"#### What {passing} would do", "", told] if told else []
    assumed = "" if preview.judged else f" (if everybody voted {code(preview.choice, 80)})" if preview.choice else ""
    lines = listed((said(text) for text in preview.effects), MOST_LISTED, "effects")
    for label, names in (("New actions", preview.new_actions), ("Actions no longer offered", preview.lost_actions)):
        if names:
            lines.append(f"- {label}: {', '.join(code(name, 80) for name in names[:MOST_LISTED])}")
    lines += [f"- Page {said(page)}" for page in preview.pages[:MOST_LISTED]]
    lines = [f"#### What {passing} would do{assumed}", "", *_provided(preview), *(lines or [NOTHING_ELSE])]
    if preview.against:
        against = listed((said(text) for text in preview.against), MOST_LISTED, "effects")
        lines += ["", f"#### What {failing} would do", "", *against]
    return lines


def _falls(preview: Preview) -> str:
    """Return why it could not be adopted, "" where nothing is known."""
    if preview.falls:
        return f"Even if everybody voted {code(preview.choice, 80)} now, it would be {said(preview.falls)}."
    return f"It could not be carried out: {said(preview.why)}." if preview.why else ""


def _provided(preview: Preview) -> list[str]:
    """Return what else would have to be otherwise before it could be adopted."""
    asked = preview.proposing
    proposed = asked is None or asked.ok
    lines = [] if proposed else ["As things are it cannot be proposed; this is what it would do if it could."]
    if preview.refused:
        lines.append(f"As things are, votes are refused: {said(preview.refused)}.")
    return [line for each in lines for line in (each, "")]
