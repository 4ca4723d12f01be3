"""A page for every rule: its text, then its history, its script, and in the margin what else is known of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from folkmoot.core.documents import Document
from folkmoot.core.values import told
from folkmoot.files.canonical import UnwritableError, write_yaml
from folkmoot.kernel.declared import doers
from folkmoot.language.scan import MAX_BYTES
from folkmoot.site.citations import citing, linked, named_in
from folkmoot.site.document import Page, note
from folkmoot.site.forge_links import pencil
from folkmoot.site.law_index import whole_law
from folkmoot.site.rule_marks import called, cause, chips
from folkmoot.wording.game_view import GameView
from folkmoot.wording.invisible import visible
from folkmoot.wording.markup import Html, chip, details, el, escape, facts, join, one_line, table
from folkmoot.wording.page_links import Here, anchor_name, file_name, humane, rule_path, titled
from folkmoot.wording.prose import phrase, prose, remark
from folkmoot.wording.redline import redline, script_redline

_SCRIPT = HtmlFormatter(nowrap=True)


def law_pages(view: GameView) -> Iterator[Page]:
    """Return the pages of the whole law and one for each rule, the repealed ones too."""
    yield from whole_law(view)
    cited_by = citing(view)
    for uid in [*view.ranked, *view.repealed]:
        yield _rule_page(view, uid, cited_by.get(uid, []))


def _rule_page(view: GameView, uid: str, cited_by: Sequence[str]) -> Page:
    rule, meta = view.rule(uid), view.law.get(uid) or {}
    title = f"Rule {view.number(uid)}: {rule.get('title') or 'untitled'}"
    page = Page(rule_path(uid), title, tab="law/index.md", trail=[("Law", "law/index.md")], searchable=True)
    here = Here(view, page.path)
    text = str(rule.get("text") or "")
    page.summary = " ".join(text.split())[:160]
    edit = pencil(here, uid, f"rules/{uid}.yaml") if meta.get("in_force", True) else ""
    marks = chips(here, uid)
    said = join([
        _standing(here, uid, meta), _borne_today(here, uid), _borne_before(view, uid),
        el("p", join(marks, " "), class_="fm-chips") if marks else "",
        linked(here, prose(text, "text"), uid), edit, _as_written(text),
    ])  # fmt: skip
    known = el("aside", _facts(here, uid, cited_by), aria_label="About this rule")
    page.add(el("div", el("div", said), known, class_="fm-beside"))
    page.add(*_failures(here, meta), heading="Failures" if meta.get("failures") else "", anchor="failures")
    _add_history(page, here, uid)
    for part in (_script(rule), _blocks(here, rule), _examples(rule)):
        if part:
            page.add(part[1], heading=part[0], anchor=part[0].lower().replace(" ", "-"))
    return page


def _borne_today(here: Here, uid: str) -> Html:
    """Return which other rule bears today the number by which this page is addressed."""
    other = next((each for each in here.view.ranked if each != uid and here.view.number(each) == uid), None)
    if other is None:
        return Html("")
    return note(
        join(["The number ", uid, " is borne today by ", here.rule(other, here.view.rule(other).get("title")), "."])
    )


def _borne_before(view: GameView, uid: str) -> Html:
    """Return the numbers that a rule bore once; by them it is sought as by its present one."""
    names = [f"rule {number}" for number in view.former_numbers(uid) if number != view.number(uid)]
    return el("p", "Formerly ", ", ".join(names), ".", class_="fm-more", data_pagefind_weight=8) if names else Html("")


def _standing(here: Here, uid: str, meta: Document) -> Html:
    if meta.get("suspended"):
        since = meta.get("asleep_since")
        told = join([phrase(str(meta["suspended"])), " (since entry ", here.entry(since), ")"]) if since else None
        return note(told or phrase(str(meta["suspended"])), "bad", "This rule is suspended:")
    if not meta.get("in_force", True):
        return note("It is kept here because its history is part of the law.", "bad", "No longer in force.")
    if (here.view.rule(uid).get("labels") or {}).get("origin") == "reconstruction":
        return note("The source does not print this; it was rebuilt from what followed.", "wait", "A reconstruction.")
    return Html("")


def _as_written(text: str) -> Html:
    marked = any(character in text for character in "*_`[]<>#|~^\\&")
    return (
        details("The text as it was written", el("pre", text, class_="fm-plain", tabindex="0")) if marked else Html("")
    )


def _facts(here: Here, uid: str, cited_by: Sequence[str]) -> Html:
    view, rule, meta = here.view, here.view.rule(uid), here.view.law.get(uid) or {}
    ranks = {each: n for n, each in enumerate(view.ranked, 1)}
    precedence = rule.get("precedence") or {}
    registers = view.registers("rule", uid)
    return facts([
        ("Number", view.number(uid)),
        ("Former numbers", ", ".join(view.former_numbers(uid))),
        ("Lasting id", uid if uid != view.number(uid) else ""),
        ("Rank", f"{ranks[uid]} of {len(ranks)}" if uid in ranks else ""),
        ("Revision", called(meta)),
        ("In this form since", here.when(meta.get("at"))),
        ("Applies from number", meta.get("applies_from") or ""),
        ("Claims precedence over", join((here.rule(each, each) for each in precedence.get("over") or ()), ", ")),
        ("Cited by", join((here.rule(each) for each in cited_by), ", ")),
        ("Names", join((here.rule(each) for each in named_in(view, uid)), ", ")),
        ("Defers to", join((here.rule(each, each) for each in precedence.get("defers_to") or ()), ", ")),
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
    return [note("The script of this rule has failed; what it should have done was left undone.", "bad"),
            table(["Since entry", "Hook", "Error", "Revision", "Times", "Last"], rows)]  # fmt: skip


def script(source: str) -> Html:
    """Return a script with its syntax highlighted; one that is too long to run is shown plainly."""
    text = visible(source)
    plain = len(text) > MAX_BYTES
    coloured = escape(text) if plain else highlight(text, PythonLexer(stripnl=False), _SCRIPT).rstrip("\n")
    pre = el("pre", el("code", one_line(coloured)), tabindex="0")
    return el("div", pre, class_="highlight fm-script")


def _script(rule: Document) -> tuple[str, Html] | None:
    source = str(rule.get("script") or "")
    lines = len(source.strip().splitlines())
    words = f"{lines} line{'s' * (lines != 1)} that carry this rule out"
    return ("Script", details(words, script(source))) if source.strip() else None


def _blocks(here: Here, rule: Document) -> tuple[str, Html] | None:
    parts = [
        _actions(here, rule.get("actions") or {}),
        _registers(here, rule.get("defines") or {}),
        _timers(rule.get("timers") or {}),
        _switches(here, rule.get("settings") or {}),
    ]
    shown = [part for part in parts if part]
    return ("What it brings into being", join(shown)) if shown else None


def _examples(rule: Document) -> tuple[str, Html] | None:
    """Return the examples that travel with a rule, as in its file."""
    if not rule.get("examples"):
        return None
    return "Examples", details("As in its file", as_in_file(rule["examples"]))


def as_in_file(part: object) -> Html:
    """Return a part of a rule as it is written in a file."""
    return el("pre", visible(written(part)), class_="fm-plain", tabindex="0")


def written(part: object) -> str:
    """Return a part of a rule as text; what no file can hold, though a record made by hand may, in one line."""
    try:
        return write_yaml(part)
    except UnwritableError:
        return told(part)


def _actions(here: Here, actions: Document) -> Html:
    rows = [
        [
            here.link(el("code", name), "act.md", anchor_name("act", name)),
            remark(str(a.get("summary") or "")),
            _who(a),
            el("code", ", ".join(a.get("arguments") or ())),
        ]
        for name, a in actions.items()
    ]
    return table(["Action", "What it does", "Who", "With"], rows, "Actions") if rows else Html("")


def _who(action: Document) -> str:
    return f"the {humane(action['as'])}" if action.get("as") else ", ".join(map(humane, doers(action)))


def _registers(here: Here, defines: Document) -> Html:
    rows: list[list[object]] = []
    for owner in ("game", "player", "rule", "proposal", "office", "currencies", "offices", "kinds", "boards"):
        for name, declared in (defines.get(owner) or {}).items():
            about = declared.get("summary") if isinstance(declared, dict) else ""
            kind = declared.get("type") if isinstance(declared, dict) else ""
            initial = here.value(declared["initial"]) if isinstance(declared, dict) and "initial" in declared else ""
            articles = {"game": "the", "office": "an"}
            one = {"currencies": "currency", "offices": "office", "kinds": "kind of thing", "boards": "board"}
            rows.append([el("code", name), one.get(owner, f"of {articles.get(owner, 'a')} {owner}"),
                         kind or "", initial, remark(str(about or ""))])  # fmt: skip
    return table(["Name", "What", "Type", "At first", "Meaning"], rows, "Registers and things") if rows else Html("")


def _timers(timers: Document) -> Html:
    rows = [
        [el("code", name), _rhythm(t), str(t.get("edge") or "deadline"), remark(str(t.get("summary") or ""))]
        for name, t in timers.items()
    ]
    return table(["Timer", "When", "Edge", "Meaning"], rows, "Timers") if rows else Html("")


def _rhythm(timer: Document) -> str:
    if not timer.get("every"):
        return "when a rule starts it"
    on = f" on {timer['weekday']}" if timer.get("weekday") else ""
    on = f" from {timer['starting']} on" if timer.get("starting") else on
    return f"every {timer['every']}{on} at {timer.get('time') or '00:00'}"


def _switches(here: Here, settings: Document) -> Html:
    rows = [
        [here.link(name, "settings.md", anchor_name("setting", name)), remark(str(s.get("question") or ""))]
        for name, s in settings.items()
    ]
    return table(["Setting", "Question"], rows, "Settings") if rows else Html("")


def _add_history(page: Page, here: Here, uid: str) -> None:
    revisions = here.view.revisions(uid)
    page.add(_revision_table(here, revisions), heading="History", anchor="history")
    for before, after in reversed(list(pairwise(here.view.wordings(uid)))):
        page.add(
            _change(here, before, after),
            _whole(uid, before),
            heading=f"Revision {called(after)}",
            anchor=f"revision-{after.get('revision', '')}",
            level=3,
        )


def _revision_table(here: Here, revisions: list[Document]) -> Html:
    rows = [
        [called(r), str(r.get("rule") or ""),
         chip("repealed", "bad") if r.get("repealed") else phrase(str(r.get("title") or "")), here.when(r.get("at")),
         cause(here, r.get("cause")), here.entry(r.get("seq"))]
        for r in reversed(revisions)
    ]  # fmt: skip
    return table(["Revision", "Number", "Title", "Since", "By", "Entry"], rows)


def _change(here: Here, before: Document, after: Document) -> Html:
    """Return what a revision changed: number, title, labels, text and script."""
    parts = [el("p", here.when(after.get("at")), " · ", cause(here, after.get("cause")), class_="fm-more")]
    if (before.get("rule"), before.get("title")) != (after.get("rule"), after.get("title")):
        parts.append(redline(_head(before), _head(after)))
    if (before.get("labels") or {}) != (after.get("labels") or {}):
        parts.append(redline(_label_text(before), _label_text(after)))
    return join([*parts, wording(before, after)])


def _whole(uid: str, revision: Document) -> Html:
    """Return a former wording of a rule as a whole, to be unfolded."""
    text, name = str(revision.get("text") or ""), str(revision.get("revision") or 0)
    return details(f"The whole text of revision {called(revision)}", prose(text, f"w{file_name(uid)}-{name}"))


def _head(revision: Document) -> str:
    return f"{revision.get('rule', '')} {revision.get('title', '')}"


def _label_text(revision: Document) -> str:
    return ", ".join(f"{name} {value}" for name, value in (revision.get("labels") or {}).items())


def wording(before: Document, after: Document) -> Html:
    """Return the redline of text and script between two forms of a rule."""
    old, new = str(before.get("text") or ""), str(after.get("text") or "")
    parts = [redline(old, new)] if old.strip() != new.strip() else []
    was, now = str(before.get("script") or ""), str(after.get("script") or "")
    if was.strip() != now.strip():
        parts.append(details("The script’s change", script_redline(was, now), open_=not parts))
    return join(parts) if parts else el("p", "The wording stayed as it was.", class_="fm-none")
