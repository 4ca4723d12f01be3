"""Acts of the journal as sentences with links; what came of them stands in `effects`, why in `reasons`."""

from __future__ import annotations

from folkmoot.core.ballot_display import public_arguments, voted_on
from folkmoot.core.records import Entry
from folkmoot.wording.catalogue import hidden, keys, quoted, say
from folkmoot.wording.markup import Html
from folkmoot.wording.page_links import Here
from folkmoot.wording.told_acts import summary_of_act, told_act

GIST = 90


def act(here: Here, entry: Entry) -> Html:
    """Return what somebody did as a sentence."""
    what, given, kept_back = str(entry.get("do") or ""), entry.get("with") or {}, here.view.keeps_back(entry)
    who = say(here, "actor", entry) if entry.get("by") else None
    fields = {**given, "who": who, "do": what, "as": entry.get("as"), "on": voted_on(entry), "hidden": hidden()}
    own = f"act {what}"
    if own not in keys() or (who and what in ("tick", "clock")):
        public = [value for value in public_arguments(entry).values() if isinstance(value, str)] if kept_back else []
        subject = ", ".join(public) if kept_back else given.get("title") or given.get("name")
        fields["subject"] = subject if isinstance(subject, str) else None
        own = "act"
        if who and (told := told_act(here, entry, kept_back=kept_back)) is not None:
            rule, in_words = told
            return say(here, "act told", {**fields, "rule": rule, "words": quoted(here, in_words), "kept": kept_back})
        rule, summary = summary_of_act(here, entry) if who else ("", Html(""))
        if summary:
            return say(here, "act summary", {**fields, "rule": rule, "words": summary, "kept": kept_back})
    if what == "state":
        words = " ".join(str(given.get("text") or "").split())
        fields["text"] = words if len(words) <= GIST else words[:GIST] + "…"
    return say(here, own + " kept back" if kept_back and own in ("act", "act vote") else own, fields)
