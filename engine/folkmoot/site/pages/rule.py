"""The page of a rule: what it says, whether it holds in full, how it came to read so, what it does and has done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import pairwise
from typing import cast

from msgspec import Struct

from folkmoot.core.documents import Document
from folkmoot.core.records import Effect, Entry
from folkmoot.language.hook_names import hook_names
from folkmoot.site.citations import citing, linked, named_in
from folkmoot.site.page_data import Link, PageData
from folkmoot.site.page_model import Sheet
from folkmoot.site.pages.rules import INDEX, bearers, neighbours, proposing, several_rules
from folkmoot.site.pages.rulings import Reading, readings
from folkmoot.site.polls import score
from folkmoot.site.rule_activity import awaited_by, cited_in, overruled
from folkmoot.site.rule_marks import (
    brought,
    called,
    cause,
    made_by_players,
    mark_of_the_past,
    since,
    taken_over,
    written,
)
from folkmoot.site.script_words import Deed, deeds, done, rest_of
from folkmoot.site.standing import currency_name
from folkmoot.wording.catalogue import quoted
from folkmoot.wording.entries import effects_in
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import growing, of_the_law, ranks
from folkmoot.wording.invisible import visible
from folkmoot.wording.markup import Html, counted, escape, join, sentence, shortened
from folkmoot.wording.page_links import Here, anchor_name, file_name, humane, rule_path, titled
from folkmoot.wording.prose import phrase, prose, remark
from folkmoot.wording.redline import redline, script_redline
from folkmoot.wording.translation import _

_MARKS = frozenset("*_`[]<>#|~^\\&")
COLOURED = 4_000
"""Up to how many characters a script is set in colours."""
Row = tuple[Html | str, ...]


class Revision(Struct, frozen=True):
    """How a rule came to read so: when and by what, what changed, and its words then where they are others now."""

    anchor: str
    head: Html
    by: Html
    changes: tuple[Html, ...]
    difference: Html
    script: Html
    words: Html
    unknown: bool


class Rule(PageData, frozen=True, kw_only=True, tag="rule"):
    """What a rule's page says.

    `limits` say why it does not hold in full, `rulings` what was ruled on it before the game, `done` what it has done,
    how often and when last, `actions` what one can do under it and who alone can.
    """

    number: str
    name: Html
    before: Link | None
    after: Link | None
    line: tuple[Html, ...]
    former: str
    words: Html
    limits: tuple[tuple[str, tuple[Html, ...]], ...]
    readings: tuple[Reading, ...]
    revisions: tuple[Revision, ...]
    rulings: tuple[tuple[Html, Html], ...]
    deeds: tuple[Deed, ...]
    script: str
    coloured: bool
    done: tuple[tuple[str, int, Html], ...]
    cited: tuple[Html, ...]
    declared: tuple[tuple[str, tuple[Row, ...]], ...]
    examples: str
    actions: tuple[tuple[Link, str], ...]
    related: tuple[tuple[str, Html], ...]
    propose: tuple[Html, ...]
    record: tuple[tuple[str, Html | str], ...]
    past: tuple[Row, ...]
    failures: tuple[Row, ...]
    written: str


@of_the_law
def rule_sheets(view: GameView) -> dict[str, Sheet]:
    """Return the page of each rule by its path."""
    return {sheet.path: sheet for sheet in map(rule_sheet, [*view.ranked, *view.repealed])}


@cache
def rule_sheet(uid: str) -> Sheet:
    """Return the page of a rule."""
    return Sheet(rule_path(uid), partial(_rule, uid))


def _rule(uid: str, view: GameView) -> Rule:
    here, rule, meta = Here(view, rule_path(uid)), view.rule(uid), view.law.get(uid) or {}
    text, script, in_force = str(rule.get("text") or ""), str(rule.get("script") or ""), meta.get("in_force", True)
    number, title = view.number(uid), str(rule.get("title") or _("untitled"))
    currencies = {name: currency_name(view, name).lower() for name in view.currencies}
    told = deeds(rule, currencies)
    before, after = (
        Link(view.number(each), here.url(rule_path(each))) if each else None
        for each in view.index(neighbours).get(uid, ("", ""))
    )
    former = [_("rule {number}", number=each) for each in view.former_numbers(uid) if each != number]
    return Rule(
        path=here.path,
        title=_("Rule {number}: {title}", number=number, title=title),
        part="rules",
        at=INDEX,
        summary=shortened(text),
        searchable=True,
        number=number,
        name=phrase(title),
        before=before,
        after=after,
        line=tuple(_line(here, uid, rule)),
        former=_("was {numbers}", numbers=", ".join(former)) if former else "",
        words=linked(here, prose(text, "text"), uid),
        limits=tuple((head, tuple(said)) for head, said in _limits(here, uid, meta)),
        readings=readings(here, rule) if in_force else (),
        revisions=_revisions(here, uid),
        rulings=tuple(_rulings(here, uid)),
        deeds=told,
        script=rest_of(script, told),
        coloured=len(script) <= COLOURED,
        done=_done(here, view.index(effects_of_rules).get(uid, ()), currencies),
        cited=tuple(cited_in(here, uid)),
        declared=tuple((head, tuple(rows)) for head, rows in _declared(here, rule) if rows),
        examples=visible(written(rule["examples"])) if rule.get("examples") else "",
        actions=tuple(_actions(here, rule)) if in_force else (),
        related=tuple((head, said) for head, said in _related(here, uid, rule) if said),
        propose=proposing(view, uid) if in_force else (),
        record=tuple((head, said) for head, said in _record(here, uid, rule, meta) if said),
        past=tuple(_past(here, each) for each in reversed(view.revisions(uid))),
        failures=tuple(_failure(here, each) for each in meta.get("failures") or ()),
        written=text if _MARKS & set(text) else "",
    )


def _line(here: Here, uid: str, rule: Document) -> Iterator[Html]:
    """Yield the parts of the line below the title: since when, labels (a number with their names), by what."""
    latest = (here.view.revisions(uid) or [cast(Document, {})])[-1]
    repealed = latest.get("repealed")
    latest = latest if repealed else made_by_players(here.view, uid) or latest
    if day := since(here, latest, day=True):
        yield sentence("Repealed {day}" if repealed else "In force since {day}", day=day)
    else:
        yield escape(_("Repealed") if repealed else _("In force"))
    for name, value in (rule.get("labels") or {}).items():
        yield phrase(f"{humane(name)} {value}" if str(value)[:1].isdigit() else str(value))
    if latest.get("cause") == "founding":
        yield escape(_("from the start"))
    elif by := brought(here, latest):
        yield by
    if taken_over(here, latest):
        yield mark_of_the_past()


def _limits(here: Here, uid: str, meta: Document) -> Iterator[tuple[str, Iterable[Html]]]:
    """Yield why a rule does not hold, or not in full, and what would change it."""
    view = here.view
    if meta.get("suspended"):
        asleep = meta.get("asleep_since")
        since_then = [sentence("Since entry {entry}.", entry=here.entry(asleep))] if asleep else []
        yield _("Its script is asleep, and does nothing."), [quoted(here, str(meta["suspended"])), *since_then]
    if not meta.get("in_force", True):
        yield _("No longer in force."), [escape(_("It is kept here because its history is part of the law."))]
    elif (view.rule(uid).get("labels") or {}).get("origin") == "reconstruction":
        why = _("The source does not print this; it was rebuilt from what followed.")
        yield _("A reconstruction."), [escape(why)]
    if found := [*overruled(here, uid)]:
        yield _("In part not followed."), [*found, escape(_("The rest of this rule holds."))]
    if meta.get("failures"):
        count = sum(int(each.get("times") or 1) for each in meta["failures"])
        times = counted(count, "{count} time", "{count} times")
        why = sentence("It failed {times}; what it should have done then was left undone.", times=times)
        yield _("Its script has failed."), [why]
    if coming := [*awaited_by(here, uid)]:
        yield _("A change is on its way."), coming
    bears = (each for each in view.index(bearers).get(uid, ()) if each != uid and view.number(each) == uid)
    if other := next((each for each in bears if each in view.index(ranks)), ""):
        link = here.rule(other, view.rule_title(other))
        why = sentence("Today, {rule} has the number {number}.", number=uid, rule=link)
        yield _("Not the only one of this number."), [why]


# -- how it came to read so


def _revisions(here: Here, uid: str) -> tuple[Revision, ...]:
    """Return how a rule came to read so, the newest first."""
    known = here.view.revisions(uid)
    last = next((each for each in reversed(known) if not each.get("repealed")), None)
    pairs = pairwise([cast(Document, {}), *known])
    return tuple(reversed([_revision(here, uid, before, after, present=after is last) for before, after in pairs]))


def _revision(here: Here, uid: str, before: Document, after: Document, *, present: bool) -> Revision:
    repealed, number = after.get("repealed"), str(after.get("revision", ""))
    new = not before or bool(before.get("repealed"))
    compared = not new and not repealed and not after.get("unknown") and not before.get("unknown")
    old, text = str(before.get("text") or "").strip(), str(after.get("text") or "").strip()
    was, script = str(before.get("script") or "").strip(), str(after.get("script") or "").strip()
    amended = any(before.get(part) != after.get(part) for part in ("text", "script"))
    what = _("repealed") if repealed else _("made") if new else _("amended") if amended else _("changed")
    by = brought(here, after, author=False)
    return Revision(
        anchor="" if repealed else f"revision-{number}",
        head=sentence("{when}, {what} {by}", when=since(here, after), what=what, by=by),
        by=_by(here, after),
        changes=tuple(_changes(before, after, compared=compared)),
        difference=redline(old, text) if compared and old != text else Html(""),
        script=script_redline(was, script) if compared and was != script else Html(""),
        words=Html("") if present or repealed else prose(text, f"w{file_name(uid)}-{number or 0}"),
        unknown=bool(after.get("unknown")),
    )


def _by(here: Here, revision: Document) -> Html:
    """Return who proposed a revision, and how the vote went."""
    proposal = here.view.proposals.get(str(revision.get("cause") or ""))
    if not proposal:
        return Html("")
    author = here.player(proposal.get("author"))
    said = [sentence("by {author}", author=author) if author else "", score(here.view, proposal, _(" to "))]
    return join(filter(None, said), ", ")


def _changes(before: Document, after: Document, *, compared: bool) -> Iterator[Html]:
    """Yield what else a revision changed: number, title, labels; and what is remarked on it."""
    old, new = before.get("labels") or {}, after.get("labels") or {}
    parts = [
        (_("number"), before.get("rule"), after.get("rule")),
        (_("title"), before.get("title"), after.get("title")),
    ]
    parts += [(humane(label), old.get(label), new.get(label)) for label in dict.fromkeys([*old, *new])]
    for part, was, now in parts if compared else ():
        if (was or "") != (now or ""):
            yield sentence("Its {part} changed from “{was}” to “{now}”.", part=part, was=phrase(str(was or "")),
                           now=phrase(str(now or "")))  # fmt: skip
    yield from (phrase(str(after[name])) for name in ("change", "note", "because") if after.get(name))


def _rulings(here: Here, uid: str) -> Iterator[tuple[Html, Html]]:
    """Yield the rulings on a rule from before the game: of which name, by whom and when, and the words."""
    for number, ruling in enumerate(here.view.document(f"history/{uid}").get("rulings") or ()):
        known = [str(ruling[part]) for part in ("name", "by") if ruling.get(part)]
        head = join([*known, since(here, ruling), mark_of_the_past()], " · ")
        yield head, prose(str(ruling.get("text") or ""), f"j{file_name(uid)}-{number}")


def _past(here: Here, revision: Document) -> Row:
    title = _("repealed") if revision.get("repealed") else phrase(str(revision.get("title") or ""))
    entry = mark_of_the_past() if taken_over(here, revision) else here.entry(revision.get("seq"))
    return (called(revision), str(revision.get("rule") or ""), title, since(here, revision),
            cause(here, revision.get("cause")), entry)  # fmt: skip


def _record(here: Here, uid: str, rule: Document, meta: Document) -> Iterator[tuple[str, Html | str]]:
    """Yield what is on record of a rule and matters to few."""
    view = here.view
    yield _("Former numbers"), ", ".join(view.former_numbers(uid))
    yield _("Lasting id"), uid if uid != view.number(uid) else ""
    yield _("Rank"), str(view.index(ranks).get(uid, ""))
    yield _("Revision"), called(meta)
    yield _("In this form since"), since(here, meta)
    yield _("Applies from number"), str(meta.get("applies_from") or "")
    yield _("Hears only of the kind"), str(rule.get("about") or "")
    for name, value in view.registers("rule", uid).items():
        yield titled(name), here.value(value, view.register_type(name))


# -- what it does, has done, and has to do with


@growing
def effects_of_rules(_view: GameView, entries: Sequence[Entry]) -> dict[str, list[tuple[Entry, Effect]]]:
    """Return what each rule has done, by its id, the oldest first."""
    found: dict[str, list[tuple[Entry, Effect]]] = {}
    for each, what in effects_in(entries):
        if what.get("rule"):
            found.setdefault(str(what["rule"]), []).append((each, what))
    return found


def _done(
    here: Here, effects: Sequence[tuple[Entry, Effect]], currencies: Mapping[str, str]
) -> tuple[tuple[str, int, Html], ...]:
    """Return what a rule has done, the like together, what it did most often first."""
    alike: dict[str, list[Entry]] = {}
    for entry, what in effects:
        if not here.view.is_bookkeeping(what) and (words := done(what, currencies)):
            alike.setdefault(words, []).append(entry)
    ordered = sorted(alike.items(), key=lambda pair: -len(pair[1]))
    return tuple((words, len(several), here.entry(several[-1].get("seq"), here.day(several[-1].get("at"))))
                 for words, several in ordered)  # fmt: skip


def _failure(here: Here, failure: Document) -> Row:
    words = (str(failure.get(name) or "") for name in ("hook", "error", "revision"))
    return here.entry(failure.get("seq")), *words, str(failure.get("times", 1)), here.when(failure.get("last"))


def _actions(here: Here, rule: Document) -> Iterator[tuple[Link, str]]:
    for name, about in (rule.get("actions") or {}).items():
        words = remark(str(about.get("summary") or titled(name)))
        yield Link(words, here.url("act.md", anchor_name("act", name))), titled(about["as"]) if about.get("as") else ""


def _declared(here: Here, rule: Document) -> Iterator[tuple[str, list[Row]]]:
    """Yield what a rule adds to the game, as lists of name, kind and meaning."""

    def meaning(about: Document) -> Html:
        return remark(str(about.get("summary") or ""))

    actions, timers = ((rule.get(block) or {}).items() for block in ("actions", "timers"))
    yield _("Actions"), [(name, ", ".join(about.get("arguments") or ()), meaning(about)) for name, about in actions]
    kept = (
        (owner, name, about if isinstance(about, Mapping) else {})
        for owner, several in (rule.get("defines") or {}).items()
        for name, about in (several.items() if isinstance(several, Mapping) else ())
    )
    yield _("What the game keeps"), [(name, _kind(here, owner, about), meaning(about)) for owner, name, about in kept]
    yield _("Clocks"), [(name, _rhythm(about or {}), meaning(about or {})) for name, about in timers]


def _kind(here: Here, owner: str, about: Mapping[str, object]) -> Html:
    """Return of whom or what kind something is that a rule declares, of which type, and what it is at first."""
    known = {"game": _("of the game"), "office": _("of an office"), "currencies": _("currency"),
             "offices": _("office"), "kinds": _("kind of thing"), "boards": _("board"),
             "outcomes": _("outcome")}  # fmt: skip
    said: list[object] = [known.get(owner) or _("of a {owner}", owner=humane(owner))]
    said += [about["type"]] if about.get("type") else []
    said += [sentence("at first {value}", value=here.value(about["initial"]))] if "initial" in about else []
    return join(said, ", ")


def _rhythm(timer: Document) -> str:
    if not timer.get("every"):
        return _("when a rule starts it")
    said = _("every {every}", every=timer["every"])
    if timer.get("starting"):
        said += _(" from {starting} on", starting=timer["starting"])
    elif timer.get("weekday"):
        said += _(" on {weekday}", weekday=timer["weekday"])
    return said + _(" at {time}", time=timer.get("time") or "00:00")


@of_the_law
def rules_answering(view: GameView) -> dict[str, list[str]]:
    """Return by hook that answers a question the rules in force that have it."""
    found: dict[str, list[str]] = {}
    for uid in view.ranked:
        for hook in _questions(view.rule(uid)):
            found.setdefault(hook, []).append(uid)
    return found


def _questions(rule: Document) -> Iterator[str]:
    return (hook for hook in hook_names(str(rule.get("script") or "")) if hook.startswith("decide_"))


def _related(here: Here, uid: str, rule: Document) -> Iterator[tuple[str, Html]]:
    """Yield the rules that have to do with one, by how."""
    view, precedence = here.view, rule.get("precedence") or {}
    same = (other for hook in _questions(rule) for other in view.index(rules_answering).get(hook, ()) if other != uid)
    yield _("Named by"), several_rules(here, view.index(citing).get(uid, ()))
    yield _("Names"), several_rules(here, named_in(view, uid))
    yield _("Goes before"), several_rules(here, precedence.get("over") or ())
    yield _("Gives way to"), several_rules(here, precedence.get("defers_to") or ())
    yield _("Answers the same questions"), several_rules(here, dict.fromkeys(same))
