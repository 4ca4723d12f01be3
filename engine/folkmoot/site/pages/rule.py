"""The page of a rule: what it says, whether it holds in full, how it came to read so, what it does and has done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import pairwise
from typing import cast

from msgspec import Struct

from folkmoot.core.documents import Document
from folkmoot.core.keys import GAME
from folkmoot.language.tree import hook_names
from folkmoot.site.page_data import Link, PageData
from folkmoot.site.page_model import Sheet
from folkmoot.site.pages.rules import INDEX, neighbours, proposing, several_rules
from folkmoot.site.pages.rulings import Reading, readings, settings_set
from folkmoot.site.polls import score
from folkmoot.site.revisions import brought, citing, law_text, made_by_players, mark_of_the_past, since, taken_over
from folkmoot.site.script_words import Deed, answering, currency_names, deeds, deeds_done, rest_of
from folkmoot.wording.catalogue import quoted
from folkmoot.wording.game_view import GameView, lists_by_key, ranks
from folkmoot.wording.markup import Html, escape, join, sentence, shortened
from folkmoot.wording.page_links import (
    Here,
    anchor_name,
    file_name,
    humane,
    label_words,
    proposal_path,
    rule_path,
    titled,
)
from folkmoot.wording.prose import phrase, prose, remark

COLOURED = 4_000
"""Up to how many characters a script is set in colours."""
OVERRULED = "overruled:"
"""Begins the key, a rule's uid behind it, of what is known of its answers that nobody hears."""
DECLARED = {"game": "of the game", "office": "of an office", "currencies": "currency", "offices": "office",
            "kinds": "kind of thing", "boards": "board", "outcomes": "outcome"}  # fmt: skip
"""What a block of `defines` declares, where that is no register of a kind of things."""
FAILURE = ("hook", "error", "revision")
Row = tuple[Html | str, ...]


class Revision(Struct, frozen=True):
    """How a rule came to read so: when and by what, what changed, and its words then where they are others now.

    `name` is its number, or how the law calls it, `count` how the vote on it went; `difference` and `script` are texts
    before and after.
    """

    anchor: str
    name: str
    head: Html
    count: str
    changes: tuple[Html, ...]
    difference: tuple[str, str] | None
    script: tuple[str, str] | None
    words: str
    unknown: bool
    entry: Html


class Rule(PageData, frozen=True, kw_only=True, tag="rule"):
    """What a rule's page says.

    `day` says since when it is in force or repealed, `asleep` why its script does nothing and since which entry,
    `rulings` what was ruled on it before the game, `done` what it has done, how often and when last, `actions` what
    one can do under it and who.
    """

    number: str
    name: Html
    before: Link | None
    after: Link | None
    day: Html
    labels: tuple[Html, ...]
    brought: Html
    taken_over: bool
    former: str
    words: Html
    asleep: tuple[Html, ...]
    in_force: bool
    rebuilt: bool
    overruled: tuple[Html, ...]
    failed: int
    awaited: tuple[Html, ...]
    readings: tuple[Reading, ...]
    revisions: tuple[Revision, ...]
    rulings: tuple[tuple[Html, Html], ...]
    deeds: tuple[Deed, ...]
    script: str
    coloured: bool
    done: tuple[tuple[str, int, Html], ...]
    declared: tuple[Row, ...]
    actions: tuple[tuple[Link, str], ...]
    related: tuple[tuple[str, Html], ...]
    propose: tuple[Html, ...]
    record: tuple[tuple[str, Html | str], ...]
    failures: tuple[Row, ...]


def rule_sheets(view: GameView) -> dict[str, Sheet]:
    """Return the page of each rule that is or was by its path."""
    paths = {rule_path(uid): uid for uid in (*view.ranked, *view.repealed)}
    return {path: Sheet(path, partial(rule_page, uid), partial(_made_of, uid)) for path, uid in paths.items()}


def _made_of(uid: str, view: GameView) -> object:
    """Return all that the page of a rule is made of."""
    rule, law = view.rule(uid), view.kept(GAME).get("settings") or {}
    causes = [view.proposals.get(str(each.get("cause"))) for each in view.revisions(uid)]
    done = [(words, count, last.get("seq"), last.get("at"))
            for words, (count, last) in view.index(deeds_done).get(uid, {}).items()]  # fmt: skip
    others = [view.index(by_key).get(uid) for by_key in (neighbours, citing, ranks)]
    answering = [view.index(rules_answering).get(hook) for hook in _questions(rule)]
    names = {str(name) for each, about in (rule.get("settings") or {}).items()
             for name in (each, (about or {}).get("name"))}  # fmt: skip
    readings = [(name, law.get(name), view.index(settings_set).get(name)) for name in sorted(names)]
    return [view.law.get(uid), view.revisions(uid), view.registers("rule", uid), view.answers.get(f"{OVERRULED}{uid}"),
            view.document(f"history/{uid}").get("rulings"), [*awaited_by(Here(view, rule_path(uid)), uid)],
            causes, done, others, answering, readings]  # fmt: skip


def rule_page(uid: str, view: GameView) -> Rule:
    """Return what is said of a rule."""
    here, rule, meta = Here(view, rule_path(uid)), view.rule(uid), view.law.get(uid) or {}
    text, script = (str(rule.get(part) or "") for part in ("text", "script"))
    number, title, labels = view.number(uid), str(rule.get("title") or "untitled"), rule.get("labels") or {}
    told, in_force = deeds(rule, currency_names(view)), bool(meta.get("in_force", True))
    before, after = (
        Link(view.number(each), here.url(rule_path(each))) if each else None
        for each in view.index(neighbours).get(uid, ("", ""))
    )
    pairs = [*pairwise([cast(Document, {}), *view.revisions(uid)])]
    latest, last = view.revisions(uid)[-1] if pairs else cast(Document, {}), view.rule(uid)
    latest = latest if latest.get("repealed") else made_by_players(view, uid) or latest
    failures, done = meta.get("failures") or (), view.index(deeds_done).get(uid, {}).items()
    actions = (
        (Link(remark(str(about.get("summary") or titled(name))), here.url("act.md", anchor_name("act", name))),
         titled(about["as"]) if about.get("as") else "") for name, about in (rule.get("actions") or {}).items()
    )  # fmt: skip
    hooks = view.index(rules_answering)
    same = dict.fromkeys(other for hook in _questions(rule) for other in hooks.get(hook, ()) if other != uid)
    related = {
        "Named by": view.index(citing).get(uid),
        "Goes before": (rule.get("precedence") or {}).get("over"),
        "Gives way to": (rule.get("precedence") or {}).get("defers_to"),
        "Answers the same questions": same,
    }
    past, asleep = mark_of_the_past(), bool(meta.get("suspended"))
    former = [f"rule {each}" for each in view.former_numbers(uid) if each != number]
    return Rule(
        path=here.path,
        title=f"Rule {number}: {title}",
        at=INDEX,
        summary=shortened(text),
        searchable=True,
        number=number,
        name=phrase(title),
        before=before,
        after=after,
        day=since(here, latest, day=True),
        labels=tuple(phrase(label_words(label, value)) for label, value in labels.items()),
        brought=escape("from the start") if latest.get("cause") == "founding" else brought(here, latest),
        taken_over=taken_over(here, latest),
        former=f'was {", ".join(former)}' if former else "",
        words=law_text(here, uid, "text"),
        asleep=(quoted(here, str(meta["suspended"])), here.entry(meta.get("asleep_since"))) if asleep else (),
        in_force=in_force,
        rebuilt=labels.get("origin") == "reconstruction",
        overruled=tuple(overruled(here, uid)),
        failed=sum(int(each.get("times") or 1) for each in failures),
        awaited=tuple(awaited_by(here, uid)),
        readings=readings(here, rule) if in_force else (),
        revisions=tuple(_revision(here, before, after, present=after is last) for before, after in reversed(pairs)),
        rulings=tuple((join(filter(None, (each.get("name"), each.get("by"), since(here, each), past)), " · "),
                       prose(str(each.get("text") or ""), f"j{file_name(uid)}-{n}"))
                      for n, each in enumerate(view.document(f"history/{uid}").get("rulings") or ())),
        deeds=told,
        script=rest_of(script, told),
        coloured=len(script) <= COLOURED,
        done=tuple((words, count, here.entry(last.get("seq"), here.day(last.get("at"))))
                   for words, (count, last) in sorted(done, key=lambda pair: -pair[1][0])),
        declared=tuple(_declared(here, rule)),
        actions=tuple(actions) if in_force else (),
        related=tuple((head, several_rules(here, others)) for head, others in related.items() if others),
        propose=proposing(view, uid) if in_force else (),
        record=tuple((head, said) for head, said in _record(here, uid, rule, meta) if said),
        failures=tuple((here.entry(each.get("seq")), *(str(each.get(name) or "") for name in FAILURE),
                        str(each.get("times", 1)), here.when(each.get("last"))) for each in failures),
    )  # fmt: skip


def awaited(view: GameView) -> dict[str, list[str]]:
    """Return by rule what is voted on, or adopted without effect yet, and would change it."""
    open_ones = ((name, each) for name, each in view.proposals.items() if not each.get("outcome") or each.get("waits"))
    uids = ((name, [view.uids.get(str(change.get("rule")), "") for change in each.get("changes") or ()])
            for name, each in open_ones)  # fmt: skip
    return lists_by_key((uid, name) for name, several in uids for uid in dict.fromkeys(several))


def awaited_by(here: Here, uid: str) -> Iterator[Html]:
    """Yield what would change a rule and is not in force yet."""
    for proposal in (here.view.proposals[name] for name in here.view.index(awaited).get(uid, ())):
        what = [
            str(each.get("kind") or next(iter(each), "change"))
            for each in proposal.get("changes") or ()
            if here.view.uids.get(str(each.get("rule"))) == uid
        ]
        title = here.link(phrase(str(proposal.get("title") or "untitled")), proposal_path(proposal), "changes")
        state = str(proposal.get("outcome") or proposal.get("state") or "pending")
        yield sentence("{proposal}, {title}: {state}. {what}", proposal=here.proposal(proposal.get("id")), title=title,
                       state=state, what=join(what, ", "))  # fmt: skip


def overruled(here: Here, uid: str) -> Iterator[Html]:
    """Yield which answers of a rule nobody hears, because a rule before it always answers the same."""
    for question, by in here.view.answers.get(f"{OVERRULED}{uid}") or ():
        yield sentence("This rule and {rule} both {answer}; {rule} goes before it, and always answers.",
                       answer=answering(question), rule=here.rule(by))  # fmt: skip


# -- how it came to read so


def _revision(here: Here, before: Document, after: Document, *, present: bool) -> Revision:
    """Return how a rule came to read as a revision; of what is `present` the words stand above."""
    repealed, number = after.get("repealed"), str(after.get("revision", ""))
    new = not before or bool(before.get("repealed"))
    compared = not new and not repealed and not after.get("unknown") and not before.get("unknown")
    old, text = str(before.get("text") or "").strip(), str(after.get("text") or "").strip()
    was, script = str(before.get("script") or "").strip(), str(after.get("script") or "").strip()
    amended = any(before.get(part) != after.get(part) for part in ("text", "script"))
    what = "repealed" if repealed else "made" if new else "amended" if amended else "changed"
    proposal = here.view.proposals.get(str(after.get("cause") or ""))
    return Revision(
        anchor="" if repealed else f"revision-{number}",
        name=str(after.get("called") or number),
        head=sentence("{when}, {what} {by}", when=since(here, after), what=what, by=brought(here, after)),
        count=score(here.view, proposal, " to ") if proposal else "",
        changes=tuple(_changes(before, after, compared=compared)),
        difference=(old, text) if compared and old != text else None,
        script=(was, script) if compared and was != script else None,
        words="" if present or repealed else text,
        unknown=bool(after.get("unknown")),
        entry=mark_of_the_past() if taken_over(here, after) else here.entry(after.get("seq")),
    )


def _changes(before: Document, after: Document, *, compared: bool) -> Iterator[Html]:
    """Yield what else a revision changed: number, title, labels; and what is remarked on it."""
    old, new = before.get("labels") or {}, after.get("labels") or {}
    parts = [(part, before.get(name), after.get(name)) for part, name in (("number", "rule"), ("title", "title"))]
    parts += [(humane(label), old.get(label), new.get(label)) for label in dict.fromkeys([*old, *new])]
    for part, *sides in parts if compared else ():
        was, now = (phrase(str(side or "")) for side in sides)
        if was != now:
            yield sentence("Its {part} changed from “{was}” to “{now}”", part=part, was=was, now=now)
    yield from (phrase(str(after[name])) for name in ("change", "note", "because") if after.get(name))


def _record(here: Here, uid: str, rule: Document, meta: Document) -> Iterator[tuple[str, Html | str]]:
    """Yield what is on record of a rule and matters to few."""
    view = here.view
    yield "Lasting id", uid if uid != view.number(uid) else ""
    yield "Rank", str(view.index(ranks).get(uid, ""))
    yield "Revision", str(meta.get("called") or meta.get("revision", ""))
    yield "Entry", here.entry(meta.get("seq"))
    yield "Applies from number", str(meta.get("applies_from") or "")
    yield "Hears only of the kind", str(rule.get("about") or "")
    for name, value in view.registers("rule", uid).items():
        yield titled(name), here.value(value, view.register_type(name))


# -- what it does, has done, and has to do with


def _declared(here: Here, rule: Document) -> Iterator[Row]:
    """Yield what the game keeps by a rule: its name, of whom or what kind and type, what it means."""
    for owner, each in (rule.get("defines") or {}).items():
        for name, about in each.items() if isinstance(each, Mapping) else ():
            known = about if isinstance(about, Mapping) else {}
            said: list[object] = [DECLARED.get(owner) or f"of a {humane(owner)}"]
            said += [known["type"]] if known.get("type") else []
            said += [sentence("at first {value}", value=here.value(known["initial"]))] if "initial" in known else []
            yield name, join(said, ", "), remark(str(known.get("summary") or ""))


def rules_answering(view: GameView) -> dict[str, list[str]]:
    """Return by hook that answers a question the rules in force that have it."""
    return lists_by_key((hook, uid) for uid in view.ranked for hook in _questions(view.rule(uid)))


def _questions(rule: Document) -> Iterator[str]:
    return (hook for hook in hook_names(str(rule.get("script") or "")) if hook.startswith("decide_"))
