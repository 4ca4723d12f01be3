"""The page of a rule: what it says, whether it holds in full, how it came to read so, what it does and has done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import pairwise
from typing import Any, cast

from msgspec import Struct

from folkmoot.core.documents import Document
from folkmoot.core.records import Effect, Entry
from folkmoot.site.citations import citing, linked, named_in
from folkmoot.site.forge_links import links_of, outward
from folkmoot.site.page_data import Link, PageData
from folkmoot.site.page_model import Sheet
from folkmoot.site.pages.rules import bearing
from folkmoot.site.pages.rulings import Reading, readings
from folkmoot.site.polls import score
from folkmoot.site.rule_activity import awaited_by, cited_in, overruled
from folkmoot.site.rule_marks import (
    brought,
    called,
    cause,
    entry,
    label_words,
    made_by_players,
    mark_of_the_past,
    since,
    since_day,
    taken_over,
    written,
)
from folkmoot.site.script_words import Deed, deeds, done, rest_of
from folkmoot.site.standing import currency_name
from folkmoot.wording.catalogue import quoted
from folkmoot.wording.entries import effects_in
from folkmoot.wording.game_view import GameView, natural
from folkmoot.wording.indices import growing, of_the_law, ranks
from folkmoot.wording.invisible import visible
from folkmoot.wording.markup import Html, counted, escape, join, sentence, shortened
from folkmoot.wording.page_links import Here, anchor_name, file_name, humane, rule_path, titled
from folkmoot.wording.prose import phrase, prose, remark
from folkmoot.wording.redline import redline, script_redline
from folkmoot.wording.translation import _

_LAW = "law/index.md"
_MARKS = frozenset("*_`[]<>#|~^\\&")
COLOURED = 4_000
"""Up to how many characters a script is set in colours."""
Row = tuple[Html | str, ...]


class Limit(Struct, frozen=True):
    """Why a rule does not hold in full: in a word or two, and in sentences."""

    head: str
    said: tuple[Html, ...]
    anchor: str = ""


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


class Ruling(Struct, frozen=True):
    """What somebody ruled on a rule before the game."""

    head: Html
    words: Html


class Done(Struct, frozen=True):
    """What a rule has done: in words, how often, and when last."""

    what: str
    count: int
    last: Html


class Action(Struct, frozen=True):
    """What one can do under a rule, and who alone can."""

    link: Link
    who: str


class Rule(PageData, frozen=True, kw_only=True, tag="rule"):
    """What a rule's page says."""

    number: str
    name: Html
    before: Link | None
    after: Link | None
    line: tuple[Html, ...]
    former: str
    words: Html
    limits: tuple[Limit, ...]
    readings: tuple[Reading, ...]
    revisions: tuple[Revision, ...]
    rulings: tuple[Ruling, ...]
    deeds: tuple[Deed, ...]
    script: str
    lines: int
    coloured: bool
    done: tuple[Done, ...]
    cited: tuple[Html, ...]
    declared: tuple[tuple[str, tuple[Row, ...]], ...]
    examples: str
    actions: tuple[Action, ...]
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
    text, script, lasting = str(rule.get("text") or ""), str(rule.get("script") or ""), meta.get("in_force", True)
    told = deeds(rule, _currencies(view))
    rest = rest_of(script, told)
    before, after = view.index(neighbours).get(uid, ("", ""))
    return Rule(
        path=here.path,
        title=_("Rule {number}: {title}", number=view.number(uid), title=rule.get("title") or _("untitled")),
        part="rules",
        at=_LAW,
        summary=shortened(text),
        searchable=True,
        number=view.number(uid),
        name=phrase(str(rule.get("title") or _("untitled"))),
        before=_neighbour(here, before),
        after=_neighbour(here, after),
        line=tuple(_line(here, uid, meta)),
        former=_former(view, uid),
        words=linked(here, prose(text, "text"), uid),
        limits=tuple(_limits(here, uid, meta)),
        readings=readings(here, rule) if lasting else (),
        revisions=_revisions(here, uid),
        rulings=tuple(_rulings(here, uid)),
        deeds=told,
        script=rest,
        lines=len(rest.splitlines()),
        coloured=len(script) <= COLOURED,
        done=_done(here, view.index(effects_of_rules).get(uid, ())),
        cited=tuple(cited_in(here, uid)),
        declared=tuple((head, rows) for head, rows in _declared(here, rule) if rows),
        examples=visible(written(rule["examples"])) if rule.get("examples") else "",
        actions=_actions(here, rule) if lasting else (),
        related=tuple((head, said) for head, said in _related(here, uid, rule) if said),
        propose=_ways_to_change(here, uid) if lasting else (),
        record=tuple((head, said) for head, said in _record(here, uid, rule, meta) if said),
        past=tuple(_past(here, each) for each in reversed(view.revisions(uid))),
        failures=tuple(_failure(here, each) for each in meta.get("failures") or ()),
        written=text if _MARKS & set(text) else "",
    )


@of_the_law
def neighbours(view: GameView) -> dict[str, tuple[str, str]]:
    """Return by rule in force the one before and the one after it by number, "" for none."""
    ordered = ["", *sorted(view.ranked, key=lambda uid: natural(view.number(uid))), ""]
    return {uid: (ordered[place], ordered[place + 2]) for place, uid in enumerate(ordered[1:-1])}


def _neighbour(here: Here, uid: str) -> Link | None:
    return Link(here.view.number(uid), here.url(rule_path(uid))) if uid else None


def _line(here: Here, uid: str, meta: Document) -> Iterator[Html]:
    """Yield the parts of the line below the title: since when, labels, by what."""
    last = (here.view.revisions(uid) or [cast(Document, {})])[-1]
    latest = last if last.get("repealed") else made_by_players(here.view, uid) or last
    day = since_day(here, latest)
    if latest.get("repealed"):
        yield sentence("Repealed {day}", day=day) if day else escape(_("Repealed"))
    else:
        yield sentence("In force since {day}", day=day) if day else escape(_("In force"))
    yield from label_words(here, uid)
    if latest.get("cause") == "founding":
        yield escape(_("from the start"))
    elif by := brought(here, latest):
        yield by
    if taken_over(here, latest):
        yield mark_of_the_past()


def _former(view: GameView, uid: str) -> str:
    """Return the numbers that a rule bore once; by them it is sought as by its present one."""
    names = [_("rule {number}", number=each) for each in view.former_numbers(uid) if each != view.number(uid)]
    return _("was {numbers}", numbers=", ".join(names)) if names else ""


def _limits(here: Here, uid: str, meta: Document) -> Iterator[Limit]:
    """Yield why a rule does not hold, or not in full, and what would change it."""
    if meta.get("suspended"):
        said = [quoted(here, str(meta["suspended"]))]
        asleep = meta.get("asleep_since")
        said += [sentence("Since entry {entry}.", entry=here.entry(asleep))] if asleep else []
        yield Limit(_("Its script is asleep, and does nothing."), tuple(said))
    if not meta.get("in_force", True):
        yield Limit(_("No longer in force."), (escape(_("It is kept here because its history is part of the law.")),))
    elif (here.view.rule(uid).get("labels") or {}).get("origin") == "reconstruction":
        why = _("The source does not print this; it was rebuilt from what followed.")
        yield Limit(_("A reconstruction."), (escape(why),))
    if found := overruled(here, uid):
        yield Limit(_("In part not followed."), (*found, escape(_("The rest of this rule holds."))))
    if meta.get("failures"):
        count = sum(int(each.get("times") or 1) for each in meta["failures"])
        times = counted(count, "{count} time", "{count} times")
        why = sentence("It failed {times}; what it should have done then was left undone.", times=times)
        yield Limit(_("Its script has failed."), (why,), "failures")
    if coming := awaited_by(here, uid):
        yield Limit(_("A change is on its way."), coming)
    other = next((each for each in here.view.index(bearing).get(uid, []) if each != uid), None)
    if other is not None:
        link = here.rule(other, here.view.rule(other).get("title"))
        why = sentence("Today, {rule} has the number {number}.", number=uid, rule=link)
        yield Limit(_("Not the only one of this number."), (why,))


def _revisions(here: Here, uid: str) -> tuple[Revision, ...]:
    """Return how a rule came to read so, the newest first."""
    known = here.view.revisions(uid)
    last = next((place for place in reversed(range(len(known))) if not known[place].get("repealed")), 0)
    made = [
        _revision(here, uid, before, after, place == last)
        for place, (before, after) in enumerate(pairwise([cast(Document, {}), *known]))
    ]
    return tuple(reversed(made))


def _revision(here: Here, uid: str, before: Document, after: Document, present: bool) -> Revision:
    unknown = bool(after.get("unknown") or before.get("unknown"))
    new = not before or bool(before.get("repealed"))
    text, script = ("", "") if new or unknown or after.get("repealed") else _differences(before, after)
    name = str(after.get("revision") or 0)
    words = "" if present or after.get("repealed") else prose(str(after.get("text") or ""), f"w{file_name(uid)}-{name}")
    return Revision(
        anchor=f"revision-{after.get('revision', '')}" if not after.get("repealed") else "",
        head=sentence("{when}, {what} {by}", when=since(here, after), what=_what(before, after, new),
                      by=brought(here, after, author=False)),
        by=_by(here, after),
        changes=tuple(_changes(before, after, new or unknown)),
        difference=Html(text),
        script=Html(script),
        words=Html(words),
        unknown=bool(after.get("unknown")),
    )  # fmt: skip


def _what(before: Document, after: Document, new: bool) -> str:
    if after.get("repealed"):
        return _("repealed")
    if new:
        return _("made")
    parts = ("text", "script")
    return _("amended") if any(before.get(part) != after.get(part) for part in parts) else _("changed")


def _by(here: Here, revision: Document) -> Html:
    """Return who proposed a revision, and how the vote went."""
    proposal = here.view.proposals.get(str(revision.get("cause") or ""))
    if not proposal:
        return Html("")
    count = score(here.view, proposal, _(" to "))
    author = here.player(proposal.get("author"))
    return join([sentence("by {author}", author=author) if author else "", count], ", " if author and count else "")


def _differences(before: Document, after: Document) -> tuple[Html, Html]:
    """Return the redlines of text and script between two forms of a rule."""
    old, new = str(before.get("text") or ""), str(after.get("text") or "")
    was, now = str(before.get("script") or ""), str(after.get("script") or "")
    return (redline(old, new) if old.strip() != new.strip() else Html(""),
            script_redline(was, now) if was.strip() != now.strip() else Html(""))  # fmt: skip


def _changes(before: Document, after: Document, new: bool) -> Iterator[Html]:
    """Yield what else a revision changed: number, title, labels; and what is remarked on it."""
    for name, words in (("rule", _("number")), ("title", _("title"))):
        was, now = str(before.get(name) or ""), str(after.get(name) or "")
        if not new and was != now and not after.get("repealed"):
            yield sentence("Its {part} changed from “{was}” to “{now}”.", part=words, was=phrase(was), now=phrase(now))
    old, labels = before.get("labels") or {}, after.get("labels") or {}
    for label in () if new or after.get("repealed") else dict.fromkeys([*old, *labels]):
        if old.get(label) != labels.get(label):
            yield sentence("Its {part} changed from “{was}” to “{now}”.", part=humane(label),
                           was=phrase(str(old.get(label) or "")), now=phrase(str(labels.get(label) or "")))  # fmt: skip
    yield from (phrase(str(after[name])) for name in ("change", "note", "because") if after.get(name))


def _rulings(here: Here, uid: str) -> Iterator[Ruling]:
    """Yield the rulings on a rule from before the game."""
    for number, ruling in enumerate(here.view.document(f"history/{uid}").get("rulings") or ()):
        known = [escape(str(ruling[part])) for part in ("name", "by") if ruling.get(part)]
        head = join([*known, since(here, ruling), mark_of_the_past()], " · ")
        yield Ruling(head, prose(str(ruling.get("text") or ""), f"j{file_name(uid)}-{number}"))


@growing
def effects_of_rules(_view: GameView, entries: Sequence[Entry]) -> dict[str, list[tuple[Entry, Effect]]]:
    """Return what each rule has done, by its id, the oldest first."""
    found: dict[str, list[tuple[Entry, Effect]]] = {}
    for each, what in effects_in(entries):
        if what.get("rule"):
            found.setdefault(str(what["rule"]), []).append((each, what))
    return found


def _done(here: Here, effects: Sequence[tuple[Entry, Effect]]) -> tuple[Done, ...]:
    """Return what a rule has done, the like together, what it did most often first."""
    view, currencies = here.view, _currencies(here.view)
    alike: dict[str, list[Entry]] = {}
    for each, what in effects:
        words = "" if view.is_bookkeeping(what) else done(what, currencies)
        if words:
            alike.setdefault(words, []).append(each)
    ordered = sorted(alike.items(), key=lambda pair: -len(pair[1]))
    return tuple(
        Done(words, len(several), here.entry(several[-1].get("seq"), here.day(several[-1].get("at"))))
        for words, several in ordered
    )


def _currencies(view: GameView) -> dict[str, str]:
    return {name: currency_name(view, name).lower() for name in view.currencies}


def _actions(here: Here, rule: Document) -> tuple[Action, ...]:
    return tuple(
        Action(Link(remark(str(about.get("summary") or titled(name))), here.url("act.md", anchor_name("act", name))),
               titled(about["as"]) if about.get("as") else "")
        for name, about in (rule.get("actions") or {}).items()
    )  # fmt: skip


@of_the_law
def answering(view: GameView) -> dict[str, list[str]]:
    """Return by question the rules in force that answer it."""
    found: dict[str, list[str]] = {}
    for uid in view.ranked:
        for each in deeds(view.rule(uid), {}):
            if each.hook.startswith("decide_"):
                found.setdefault(each.hook, []).append(uid)
    return found


def _related(here: Here, uid: str, rule: Document) -> Iterator[tuple[str, Html]]:
    """Yield the rules that have to do with one, by how."""
    view, precedence = here.view, rule.get("precedence") or {}
    hooks = [each.hook for each in deeds(rule, {})]
    same = [other for hook in hooks for other in view.index(answering).get(hook, ()) if other != uid]
    named = [*named_in(view, uid)]
    yield _("Named by"), _several(here, view.index(citing).get(uid, []))
    yield _("Names"), _several(here, named)
    yield _("Goes before"), _several(here, precedence.get("over") or ())
    yield _("Gives way to"), _several(here, precedence.get("defers_to") or ())
    yield _("Answers the same questions"), _several(here, dict.fromkeys(same))


def _several(here: Here, uids: Any) -> Html:
    """Return links to rules by number and title."""
    view = here.view
    known = [(uid, view.uids.get(str(uid))) for uid in uids]
    return join((here.rule(uid, f"{view.number(found)} {view.rule_title(found)}" if found else uid)
                 for uid, found in known), ", ")  # fmt: skip


def _ways_to_change(here: Here, uid: str) -> tuple[Html, ...]:
    """Return the links by which a rule is changed on the forge: in its editor, and by a form; nothing without one."""
    links = links_of(here.view)
    if links is None:
        return ()
    number, rule = here.view.number(uid), here.view.rule(uid)
    title, text = str(rule.get("title") or ""), str(rule.get("text") or "").rstrip("\n")
    form, words = links.form("propose", rule=number, title=title, text=text), _("Propose a change of it")
    if not links.edits:
        return (outward(words, form, button=True),)
    return outward(words, links.edit(f"rules/{uid}.yaml"), button=True), outward(_("or by a form"), form)


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


def _past(here: Here, revision: Document) -> Row:
    title = _("repealed") if revision.get("repealed") else phrase(str(revision.get("title") or ""))
    return (called(revision), str(revision.get("rule") or ""), title, since(here, revision),
            cause(here, revision.get("cause")), entry(here, revision))  # fmt: skip


def _failure(here: Here, failure: Document) -> Row:
    return (
        here.entry(failure.get("seq")), str(failure.get("hook", "")), str(failure.get("error", "")),
        str(failure.get("revision") or ""), str(failure.get("times", 1)), here.when(failure.get("last")),
    )  # fmt: skip


def _declared(here: Here, rule: Document) -> Iterator[tuple[str, tuple[Row, ...]]]:
    """Yield what a rule adds to the game, as lists of name, kind and meaning."""
    yield (
        _("Actions"),
        tuple(
            (name, ", ".join(about.get("arguments") or ()), remark(str(about.get("summary") or "")))
            for name, about in (rule.get("actions") or {}).items()
        ),
    )
    yield _("What the game keeps"), tuple(
        (name, _of(here, owner, about if isinstance(about, Mapping) else {}),
         remark(str(about.get("summary") or "")) if isinstance(about, Mapping) else "")
        for owner, several in (rule.get("defines") or {}).items() if isinstance(several, Mapping)
        for name, about in several.items()
    )  # fmt: skip
    yield (
        _("Clocks"),
        tuple(
            (name, _rhythm(about or {}), remark(str((about or {}).get("summary") or "")))
            for name, about in (rule.get("timers") or {}).items()
        ),
    )


def _of(here: Here, owner: str, about: Document) -> Html:
    """Return of whom or what kind something is that a rule declares, of which type, and what it is at first."""
    said: list[Html | str] = [_owner(owner)]
    said += [str(about["type"])] if about.get("type") else []
    said += [sentence("at first {value}", value=here.value(about["initial"]))] if "initial" in about else []
    return join(said, ", ")


def _owner(block: str) -> str:
    """Return what a block of `defines` declares: something of somebody, or a kind of thing."""
    known = {
        "game": _("of the game"), "player": _("of a player"), "rule": _("of a rule"), "proposal": _("of a proposal"),
        "office": _("of an office"), "currencies": _("currency"), "offices": _("office"),
        "kinds": _("kind of thing"), "boards": _("board"),
    }  # fmt: skip
    return known.get(block) or humane(block)


def _rhythm(timer: Document) -> str:
    if not timer.get("every"):
        return _("when a rule starts it")
    told = {"every": timer["every"], "time": timer.get("time") or "00:00"}
    if timer.get("starting"):
        return _("every {every} from {starting} on at {time}", **told, starting=timer["starting"])
    if timer.get("weekday"):
        return _("every {every} on {weekday} at {time}", **told, weekday=timer["weekday"])
    return _("every {every} at {time}", **told)
