"""A page for every rule: its text, then its history, its script, and in the margin what else is known of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import pairwise

from folkmoot.core.documents import Document
from folkmoot.core.rule_blocks import ActionSpec
from folkmoot.core.values import told
from folkmoot.files.canonical import UnwritableError, write_yaml
from folkmoot.kernel.act_declarations import doers
from folkmoot.site.citations import citing, linked, named_in
from folkmoot.site.forge_links import pencil
from folkmoot.site.law_index import bearing
from folkmoot.site.page_model import Page, Sheet, note
from folkmoot.site.pen import coloured
from folkmoot.site.rule_activity import awaiting_note, cited_in, overruled_note
from folkmoot.site.rule_marks import called, cause, chips, entry, mark_of_the_past, since
from folkmoot.site.settings import settings_beside
from folkmoot.wording.catalogue import quoted
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import of_the_law, ranks
from folkmoot.wording.invisible import visible
from folkmoot.wording.markup import Html, chip, counted, details, el, escape, facts, join, one_line, sentence, table
from folkmoot.wording.page_links import Here, anchor_name, file_name, humane, rule_path, titled
from folkmoot.wording.prose import phrase, prose, remark
from folkmoot.wording.redline import redline, script_redline
from folkmoot.wording.translation import _, term


@of_the_law
def rule_sheets(view: GameView) -> dict[str, Sheet]:
    """Return the page of each rule by its path."""
    return {sheet.path: sheet for sheet in map(rule_sheet, [*view.ranked, *view.repealed])}


@cache
def rule_sheet(uid: str) -> Sheet:
    """Return the page of a rule."""
    return Sheet(rule_path(uid), partial(_rule_page, uid))


def _rule_page(uid: str, view: GameView) -> Page:
    rule, meta = view.rule(uid), view.law.get(uid) or {}
    title = _("Rule {number}: {title}", number=view.number(uid), title=rule.get("title") or _("untitled"))
    page = Page(rule_path(uid), title, tab="law/index.md", trail=[(_("Law"), "law/index.md")], searchable=True)
    here = Here(view, page.path)
    text = str(rule.get("text") or "")
    page.summary = " ".join(text.split())[:160]
    edit = pencil(here, uid, f"rules/{uid}.yaml") if meta.get("in_force", True) else ""
    marks = chips(here, uid)
    said = join([
        _standing(here, uid, meta), awaiting_note(here, uid), overruled_note(here, uid), _borne_today(here, uid),
        _borne_before(view, uid),
        el("p", join(marks, " "), class_="fm-chips") if marks else "",
        linked(here, prose(text, "text"), uid), edit, _as_written(text),
    ])  # fmt: skip
    known = el("aside", _facts(here, uid, view.index(citing).get(uid, [])), aria_label=_("About this rule"))
    page.add(el("div", el("div", said), known, class_="fm-beside"))
    beside = settings_beside(here, rule) if meta.get("in_force", True) else Html("")
    page.add(beside, heading=_("How it is read here") if beside else "", anchor="settings")
    page.add(*_failures(here, meta), heading=_("Failures") if meta.get("failures") else "", anchor="failures")
    _add_history(page, here, uid)
    cited = cited_in(here, uid)
    page.add(cited, heading=_("Where it was cited") if cited else "", anchor="cited")
    for anchor, heading, part in (_script(rule), _blocks(here, rule), _examples(rule)):
        if part:
            page.add(part, heading=heading, anchor=anchor)
    return page


def _borne_today(here: Here, uid: str) -> Html:
    """Return which other rule bears today the number by which this page is addressed."""
    other = next((each for each in here.view.index(bearing).get(uid, []) if each != uid), None)
    if other is None:
        return Html("")
    link = here.rule(other, here.view.rule(other).get("title"))
    return note(sentence("The number {number} is borne today by {rule}.", number=uid, rule=link))


def _borne_before(view: GameView, uid: str) -> Html:
    """Return the numbers that a rule bore once; by them it is sought as by its present one."""
    names = [_("rule {number}", number=each) for each in view.former_numbers(uid) if each != view.number(uid)]
    if not names:
        return Html("")
    said = sentence("Formerly {numbers}.", numbers=", ".join(names))
    return el("p", said, class_="fm-more", data_pagefind_weight=8, data_pagefind_meta="former")


def _standing(here: Here, uid: str, meta: Document) -> Html:
    if meta.get("suspended"):
        since = meta.get("asleep_since")
        why = quoted(here, str(meta["suspended"]))
        told = sentence("{why} (since entry {entry})", why=why, entry=here.entry(since)) if since else why
        return note(told, "bad", _("This rule is suspended:"))
    if not meta.get("in_force", True):
        return note(_("It is kept here because its history is part of the law."), "bad", _("No longer in force."))
    if (here.view.rule(uid).get("labels") or {}).get("origin") == "reconstruction":
        return note(
            _("The source does not print this; it was rebuilt from what followed."), "wait", _("A reconstruction.")
        )
    return Html("")


def _as_written(text: str) -> Html:
    marked = any(character in text for character in "*_`[]<>#|~^\\&")
    return (
        details(_("The text as it was written"), el("pre", text, class_="fm-plain", tabindex="0"))
        if marked
        else Html("")
    )


def _facts(here: Here, uid: str, cited_by: Sequence[str]) -> Html:
    view, rule, meta = here.view, here.view.rule(uid), here.view.law.get(uid) or {}
    precedence = rule.get("precedence") or {}
    registers = view.registers("rule", uid)
    return facts([
        (_("Former numbers"), ", ".join(view.former_numbers(uid))),
        (_("Lasting id"), uid if uid != view.number(uid) else ""),
        (_("Rank"), view.index(ranks).get(uid, "")),
        (_("Revision"), called(meta)),
        (_("In this form since"), since(here, meta)),
        (_("Applies from number"), meta.get("applies_from") or ""),
        (_("Hears only of the kind"), rule.get("about") or ""),
        (_("Claims precedence over"), join((here.rule(each, each) for each in precedence.get("over") or ()), ", ")),
        (_("Cited by"), join((here.rule(each) for each in cited_by), ", ")),
        (_("Names"), join((here.rule(each) for each in named_in(view, uid)), ", ")),
        (_("Defers to"), join((here.rule(each, each) for each in precedence.get("defers_to") or ()), ", ")),
        *((titled(name), here.value(value, here.view.register_type(name))) for name, value in registers.items()),
    ])  # fmt: skip


def _failures(here: Here, meta: Document) -> list[Html]:
    rows = [
        [
            here.entry(f.get("seq")),
            el("code", str(f.get("hook", ""))),
            el("code", str(f.get("error", ""))),
            f.get("revision"),
            f.get("times", 1),
            here.when(f.get("last")),
        ]
        for f in meta.get("failures") or ()
    ]
    if not rows:
        return []
    return [note(_("The script of this rule has failed; what it should have done was left undone."), "bad"),
            table([_("Since entry"), _("Hook"), _("Error"), _("Revision"), _("Times"), _("Last")], rows)]  # fmt: skip


def script(source: str) -> Html:
    """Return a script with its syntax highlighted; one that is too long to run is shown plainly."""
    return el("div", el("pre", el("code", one_line(coloured(source))), tabindex="0"), class_="highlight fm-script")


Part = tuple[str, str, Html]  # of a rule's page: its anchor, what it is headed by, and what it says, nothing for none


def folded_script(source: str) -> Html:
    """Return a script folded under how many lines it has; nothing for none."""
    lines = len(source.strip().splitlines())
    words = counted(lines, "{count} line that carries this rule out", "{count} lines that carry this rule out")
    return details(words, script(source)) if lines else Html("")


def _script(rule: Document) -> Part:
    return "script", _("Script"), folded_script(str(rule.get("script") or ""))


def _blocks(here: Here, rule: Document) -> Part:
    parts = [
        _actions(here, rule.get("actions") or {}),
        _registers(here, rule.get("defines") or {}),
        _timers(rule.get("timers") or {}),
        _switches(here, rule.get("settings") or {}),
    ]
    shown = [part for part in parts if part]
    return "what-it-brings-into-being", _("What it brings into being"), join(shown)


def _examples(rule: Document) -> Part:
    """Return the examples that travel with a rule, as in its file."""
    given = rule.get("examples")
    return "examples", _("Examples"), details(_("As in its file"), as_in_file(given)) if given else Html("")


def as_in_file(part: object) -> Html:
    """Return a part of a rule as it is written in a file."""
    return el("pre", visible(written(part)), class_="fm-plain", tabindex="0")


def written(part: object) -> str:
    """Return a part of a rule as text; what no file can hold, though a record made by hand may, in one line."""
    try:
        return write_yaml(part)
    except UnwritableError:
        return told(part)


def _actions(here: Here, actions: Mapping[str, ActionSpec]) -> Html:
    rows = [
        [
            here.link(el("code", name), "act.md", anchor_name("act", name)),
            remark(str(a.get("summary") or "")),
            _who(a),
            el("code", ", ".join(given)) if (given := a.get("arguments") or ()) else "",
        ]
        for name, a in actions.items()
    ]
    return table([_("Action"), _("What it does"), _("Who"), _("With")], rows, _("Actions")) if rows else Html("")


def _who(action: ActionSpec) -> str:
    if action.get("as"):
        return _("the {office}", office=humane(action["as"]))
    return ", ".join(term(humane(each)) for each in doers(action))


def _registers(here: Here, defines: Document) -> Html:
    rows: list[list[object]] = []
    for owner in ("game", "player", "rule", "proposal", "office", "currencies", "offices", "kinds", "boards"):
        for name, declared in (defines.get(owner) or {}).items():
            about = declared.get("summary") if isinstance(declared, dict) else ""
            kind = declared.get("type") if isinstance(declared, dict) else ""
            initial = here.value(declared["initial"]) if isinstance(declared, dict) and "initial" in declared else ""
            rows.append([el("code", name), _declared_as(owner),
                         kind or "", initial, remark(str(about or ""))])  # fmt: skip
    return (
        table([_("Name"), _("What"), _("Type"), _("At first"), _("Meaning")], rows, _("Registers and things"))
        if rows
        else Html("")
    )


def _declared_as(block: str) -> str:
    """Return what a block of `defines` declares: a register of something, or a kind of thing."""
    return {
        "game": _("of the game"), "player": _("of a player"), "rule": _("of a rule"), "proposal": _("of a proposal"),
        "office": _("of an office"), "currencies": _("currency"), "offices": _("office"), "kinds": _("kind of thing"),
        "boards": _("board"),
    }[block]  # fmt: skip


def _timers(timers: Document) -> Html:
    rows = [
        [el("code", name), _rhythm(t), str(t.get("edge") or "deadline"), remark(str(t.get("summary") or ""))]
        for name, t in timers.items()
    ]
    return table([_("Timer"), _("When"), _("Edge"), _("Meaning")], rows, _("Timers")) if rows else Html("")


def _rhythm(timer: Document) -> str:
    if not timer.get("every"):
        return _("when a rule starts it")
    told = {"every": timer["every"], "time": timer.get("time") or "00:00"}
    if timer.get("starting"):
        return _("every {every} from {starting} on at {time}", **told, starting=timer["starting"])
    if timer.get("weekday"):
        return _("every {every} on {weekday} at {time}", **told, weekday=timer["weekday"])
    return _("every {every} at {time}", **told)


def _switches(here: Here, settings: Document) -> Html:
    rows = [
        [here.link(name, "settings.md", anchor_name("setting", name)), remark(str(s.get("question") or ""))]
        for name, s in settings.items()
    ]
    return table([_("Setting"), _("Question")], rows, _("Settings")) if rows else Html("")


def _add_history(page: Page, here: Here, uid: str) -> None:
    revisions = here.view.revisions(uid)
    page.add(_revision_table(here, revisions), *_rulings(here, uid), heading=_("History"), anchor="history")
    for before, after in reversed(list(pairwise(here.view.wordings(uid)))):
        page.add(
            _change(here, before, after),
            _whole(uid, before),
            heading=_("Revision {number}", number=called(after)),
            anchor=f"revision-{after.get('revision', '')}",
            level=3,
        )


def _rulings(here: Here, uid: str) -> Iterator[Html]:
    """Yield the rulings on a rule from before the game."""
    for number, ruling in enumerate(here.view.document(f"history/{uid}").get("rulings") or ()):
        known = [escape(str(ruling[part])) for part in ("name", "by") if ruling.get(part)]
        told = join([*known, since(here, ruling)], " · ")
        words = prose(str(ruling.get("text") or ""), f"j{file_name(uid)}-{number}")
        yield el("section", el("p", told, " ", mark_of_the_past(), class_="fm-change__head"), words, class_="fm-change")


def _revision_table(here: Here, revisions: list[Document]) -> Html:
    rows = [
        [called(r), str(r.get("rule") or ""),
         chip(_("repealed"), "bad") if r.get("repealed") else phrase(str(r.get("title") or "")), since(here, r),
         cause(here, r.get("cause")), entry(here, r)]
        for r in reversed(revisions)
    ]  # fmt: skip
    return table([_("Revision"), _("Number"), _("Title"), _("Since"), _("By"), _("Entry")], rows)


def _change(here: Here, before: Document, after: Document) -> Html:
    """Return what a revision changed: number, title, labels, text and script."""
    remarks = [escape(str(after[name])) for name in ("change", "note") if after.get(name)]
    told = join([since(here, after), cause(here, after.get("cause")), *remarks], " · ")
    parts = [el("p", told, class_="fm-more")]
    if (before.get("rule"), before.get("title")) != (after.get("rule"), after.get("title")):
        parts.append(redline(_head(before), _head(after)))
    unknown = before.get("unknown") or after.get("unknown")
    if not unknown and (before.get("labels") or {}) != (after.get("labels") or {}):
        parts.append(redline(_label_text(before), _label_text(after)))
    return join([*parts, wording(before, after)])


def _whole(uid: str, revision: Document) -> Html:
    """Return a former wording of a rule as a whole, to be unfolded."""
    text, name = str(revision.get("text") or ""), str(revision.get("revision") or 0)
    if revision.get("unknown"):
        return el("p", _("What revision {number} said is not known.", number=called(revision)), class_="fm-none")
    return details(
        _("The whole text of revision {number}", number=called(revision)), prose(text, f"w{file_name(uid)}-{name}")
    )


def _head(revision: Document) -> str:
    return f"{revision.get('rule', '')} {revision.get('title', '')}"


def _label_text(revision: Document) -> str:
    return ", ".join(f"{name} {value}" for name, value in (revision.get("labels") or {}).items())


def wording(before: Document, after: Document) -> Html:
    """Return the redline of text and script between two forms of a rule."""
    old, new = str(before.get("text") or ""), str(after.get("text") or "")
    unknown = before.get("unknown") or after.get("unknown")
    parts = [redline(old, new)] if old.strip() != new.strip() and not unknown else []
    was, now = str(before.get("script") or ""), str(after.get("script") or "")
    if was.strip() != now.strip():
        parts.append(details(_("The script’s change"), script_redline(was, now), open_=not parts))
    said = _("What changed is not known.") if unknown else _("The wording stayed as it was.")
    return join(parts) if parts else el("p", said, class_="fm-none")
