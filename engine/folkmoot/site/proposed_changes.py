"""What a proposal changes, in words: what somebody wants to do, what it does, and the rules as they were."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from folkmoot.core.documents import Document, Proposal
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, counted, escape, join, sentence, shortened
from folkmoot.wording.page_links import Here, humane
from folkmoot.wording.prose import phrase
from folkmoot.wording.translation import _

MOST = 3
"""How many rules are named in a sentence."""
DEEDS = {
    "enact": (_("make a new rule"), _("a new rule")),
    "once": (_("have something done once"), _("something that is done once")),
    "amend": (_("amend {rules}"), _("amends {rules}")),
    "repeal": (_("repeal {rules}"), _("repeals {rules}")),
    "retitle": (_("rename {rules}"), _("renames {rules}")),
    "transmute": (_("make {rules} {to}"), _("makes {rules} {to}")),
}
"""What is done with rules, as what somebody wants to do and as what a proposal does, by the kind of the change."""


def intent(here: Here, proposal: Proposal) -> Html:
    """Return who wants to change what, or wanted where it is decided."""
    author = here.player(proposal.get("author")) or escape(_("Somebody"))
    deeds = listed([*_deeds(here, proposal)])
    if not deeds:
        return sentence("{author} proposed something that changes no rule.", author=author)
    said = _("{author} wanted to {deeds}.") if proposal.get("outcome") else _("{author} wants to {deeds}.")
    return sentence(said, author=author, deeds=deeds)


def listed(parts: Sequence[object]) -> Html:
    """Return parts of a sentence with commas, and a word before the last."""
    return join([join(parts[:-1], ", "), " ", _("and"), " ", parts[-1]]) if len(parts) > 1 else join(parts)


def _deeds(here: Here, proposal: Proposal) -> Iterator[Html]:
    """Yield what a proposal would do, what is done alike with several rules at once."""
    groups: dict[tuple[str, str], list[Document]] = {}
    for each in proposal.get("changes") or ():
        groups.setdefault((_form(each), str(each.get("to") or "")), []).append(each)
    for (form, to), changes in groups.items():
        if form == "enact" and len(changes) > 1:
            yield counted(len(changes), "make {count} new rule", "make {count} new rules")
            continue
        alone = len(groups) == len(changes) == 1
        rules = [rule_then(here, proposal, each, titled=alone) for each in changes[:MOST]]
        more = len(changes) - MOST
        yield _deed(form, 0, listed([*rules, *([_("{count} more", count=more)] if more > 0 else [])]), to)


def changes_of(here: Here, proposal: Proposal) -> list[Html]:
    """Return what a proposal does, one piece for each of its changes."""
    return [change_told(here, proposal, each) for each in proposal.get("changes") or ()]


def change_told(here: Here, proposal: Proposal, change: Document, *, titled: bool = False) -> Html:
    """Return what a change does, the rule with its number of then, and its title where that is wanted."""
    return _deed(_form(change), 1, rule_then(here, proposal, change, titled=titled), str(change.get("to") or ""))


def _deed(form: str, person: int, rules: Html, to: str) -> Html:
    said = DEEDS.get(form, ("{kind} {rules}", "{kind} {rules}"))[person]
    return sentence(said, rules=rules, kind=phrase(humane(form)), to=phrase(to))


def _form(change: Document) -> str:
    kind = kind_of_change(change)
    return "once" if kind == "enact" and parts_of(change).get("once") else kind


def kind_of_change(change: Document) -> str:
    """Return what a change does with a rule: enact, amend, repeal, transmute or retitle."""
    return str(change.get("kind") or next(iter(change), "change"))


def parts_of(change: Document) -> Document:
    """Return the new parts of a rule that a change brings."""
    whole = {name: value for name, value in change.items() if name not in ("kind", "rule", "revision", "to")}
    found: Document = change.get("parts") or change.get("enact") or whole
    return found


def before_and_after(view: GameView, proposal: Proposal, change: Document) -> tuple[Document, Document]:
    """Return a rule as it was when a change was made, and as the change would have it; nothing for none."""
    kind = kind_of_change(change)
    if kind == "enact":
        return {}, parts_of(change)
    before = _wording_before(view, proposal, change)
    return before, {**before, "repealed": True} if kind == "repeal" else {**before, **parts_of(change)}


def _wording_before(view: GameView, proposal: Proposal, change: Document) -> Document:
    """Return the rule that a change is about, as it was when the change was made."""
    uid = view.uids.get(str(change.get("rule")), str(change.get("rule")))
    resolved = view.resolved_by.get(str(proposal.get("id")))
    made_on = [each for each in view.wordings(uid) if each.get("revision") == change.get("revision")]
    return made_on[-1] if made_on else view.text_before(uid, resolved["seq"] if resolved else None)


def rule_then(here: Here, proposal: Proposal, change: Document, *, titled: bool = False) -> Html:
    """Return a link to the rule that a change is about, by the number that it had then, and its title of then."""
    if not change.get("rule"):
        return Html("")
    before = _wording_before(here.view, proposal, change)
    uid = here.view.uids.get(str(change["rule"]), str(change["rule"]))
    named = _("rule {number}", number=before.get("rule") or here.view.number(uid))
    if titled and before.get("title"):
        return here.rule(uid, join([named, ", ", phrase(shortened(str(before["title"])))]))
    return here.rule(uid, named)
