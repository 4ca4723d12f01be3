"""What you can do: every action that the rules offer, by what one wants to achieve, and how it is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import cast

from msgspec import Struct

from folkmoot.core.keys import GAME, forge_kind
from folkmoot.core.rule_blocks import ActionSpec
from folkmoot.game.status import asked_of, duties_in
from folkmoot.kernel.act_declarations import (
    BEYOND_RULES,
    KERNEL_DECLARATIONS,
    VOTE,
    doers,
    kinds_named,
    vote_declaration,
)
from folkmoot.site.action_lines import action_line, argument_words, vote_line
from folkmoot.site.forge_links import ForgeLinks, links_of
from folkmoot.site.page_data import Link, PageData
from folkmoot.site.pages.status import named, together
from folkmoot.site.sealed_values import links_of_act
from folkmoot.wording.catalogue import quoted
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, escape, sentence, shortened
from folkmoot.wording.page_links import Here, anchor_name, rule_path, titled
from folkmoot.wording.prose import phrase, remark

Actions = Mapping[str, tuple[str, ActionSpec]]
"""The actions of a game by name, each with the rule that declares it ("" for one that every game has)."""
Topics = Mapping[Html | str, list[str]]
PATH = "act.md"
FIRST = 3
MOST_TOPICS = 16
"""So many topics stand on the page; where there are more, rules with one action share the last of them."""
MOST_FORMS = 80
"""So many actions have a link each to the form that does them; of more, the form asks which."""


class ListedAction(Struct, frozen=True):
    """Something that can be done: what it is, who may, by which rule, the line to write and what to fill in there.

    Who may beside players or the `office` is `anyone`, some `things`, or who are `acting` for the office now. `form` is
    that which does it on the forge, or (`proposes`) by which one proposes.
    """

    anchor: str
    summary: Html
    office: str
    anyone: bool
    things: str
    acting: Html
    rule: Link | None
    line: str
    fill: Html
    form: str
    proposes: bool
    sealed: tuple[Link, ...]


class Ways(Struct, frozen=True):
    """How one acts at this table: on which kind of forge, by which forms, as a new file, or by whom.

    `forms` are those to act, to propose, to say something and to join; `keeper` is who keeps the record on no forge.
    """

    kind: str
    forms: tuple[str, ...]
    new_rule: str
    keeper: Html


class Act(PageData, frozen=True, kw_only=True, tag="act"):
    """All that can be done in a game: how, what comes first and why, and all by topic."""

    how: Ways
    first: tuple[tuple[ListedAction, Html], ...]
    topics: tuple[tuple[Html | str, tuple[ListedAction, ...]], ...]


def act_page(view: GameView) -> Act:
    """Return the page of all actions."""
    here, links, actions = Here(view, PATH), links_of(view), _actions(view)
    begun = links if len(actions) <= MOST_FORMS else None
    shown = {name: _action(here, begun, name, *known) for name, known in actions.items()}
    topics = _topics(view, actions)
    order, keepers = sorted(topics.values(), key=len, reverse=True), view.kept(GAME).get("administrators") or ()
    first = _first(here, actions, sorted(chain(*order), key=lambda name: bool(shown[name].office)))
    return Act(
        path=PATH,
        title="What you can do",
        part="now",
        summary=f"What can be done in {view.title}, and how it is written",
        searchable=True,
        how=Ways(
            kind=forge_kind(view.kept(GAME)),
            forms=tuple(map(links.form, ("act", "propose", "say", "join"))) if links else (),
            new_rule=new_rule(links) if links and links.edits else "",
            keeper=here.player(keepers[0]) if len(keepers) == 1 else Html(""),
        ),
        first=tuple((shown[name], why) for name, why in first),
        topics=tuple((title, tuple(shown[name] for name in names)) for title, names in topics.items()),
    )


def _actions(view: GameView) -> dict[str, tuple[str, ActionSpec]]:
    """Return the actions of the rules, then those that every game has, in whose place no rule puts its own."""
    ruled = {name: (uid, cast(ActionSpec, about)) for name, (uid, about) in view.declared("actions").items()}
    always = {name: about for name, about in KERNEL_DECLARATIONS.items() if name not in (*BEYOND_RULES, *ruled)}
    if VOTE in always:
        always[VOTE] = vote_declaration(view.votable)
    return {**ruled, **{name: ("", about) for name, about in always.items()}}


# -- what comes first


def _first(here: Here, actions: Actions, names: Sequence[str]) -> Iterator[tuple[str, Html]]:
    """Yield what comes first and why: what players must do, then to propose and to vote, then what is done often."""
    owed: dict[str, Html] = {}
    declared = {name: about for name, (_uid, about) in actions.items()}
    for alike in together(duties_in(here.view.documents)):
        who, what = named(here, [each["player"] for each in alike]), quoted(here, str(alike[0].get("what") or ""))
        must = "{players} must {what} by {when}." if alike[0].get("by") else "{players} must {what}."
        for name in asked_of(alike[0], declared)[:1]:
            owed.setdefault(name, sentence(must, players=who, what=what, when=here.moment(alike[0].get("by"))))
    done = Counter(str(entry.get("do")) for entry in here.view.entries if entry.get("by"))
    usual = sorted(names, key=lambda name: -done[name])
    proposing = [name for name in usual if _proposes(declared[name])][:1]
    for name in [*dict.fromkeys([*owed, *proposing, VOTE, *usual])][:FIRST]:
        times = sentence("Done {count} times so far.", count=done[name]) if done[name] > 1 else Html("")
        yield name, owed.get(name, times)


# -- topics


def _topics(view: GameView, actions: Actions) -> Topics:
    """Return the names of actions by topic: what one proposes and votes on first, what every game has last."""
    always, rest = "In every game", "By other rules"
    proposing = next((_topic_of(view, *each) for each in actions.values() if _proposes(each[1])), "Propose and vote")
    found: dict[Html | str, list[str]] = {proposing: []}
    for name, known in actions.items():
        found.setdefault(proposing if name == VOTE else _topic_of(view, *known), []).append(name)
    if len(found) > MOST_TOPICS:
        single = [title for title, names in found.items() if len(names) == 1 and title != always]
        found[rest] = [found.pop(title)[0] for title in single]
    return {title: names for title, names in {**found, always: found.pop(always, [])}.items() if names}


def _proposes(about: ActionSpec) -> bool:
    """Say whether an action proposes a change of the rules."""
    changes = any((spec or {}).get("type") == "changes" for spec in (about.get("arguments") or {}).values())
    return changes or about.get("travels") == "with_proposal"


def _topic_of(view: GameView, uid: str, about: ActionSpec) -> Html | str:
    """Return what an action is for: as it says itself, as its rule is labelled, by its arguments, else by its rule."""
    if not uid:
        return "In every game"
    rule, arguments = view.rule(uid), about.get("arguments") or {}
    category = (rule.get("labels") or {}).get("category")
    named = about.get("topic") or (titled(category) if isinstance(category, str) else "")
    if not named and (_proposes(about) or any((spec or {}).get("type") == "proposal" for spec in arguments.values())):
        return "Propose and vote"
    if not named and (about.get("as") or "office" in arguments):
        return "Elections and offices"
    shown = next((each.title for each in view.shown if each.rule == uid), "")
    return phrase(shortened(str(named or shown or rule.get("title") or "untitled"), 60))


# -- one action


def _action(here: Here, links: ForgeLinks | None, name: str, uid: str, about: ActionSpec) -> ListedAction:
    view, arguments, travels = here.view, about.get("arguments") or {}, about.get("travels") == "with_proposal"
    summary = remark(str(about["summary"])) if about.get("summary") else escape(titled(name))
    forge, own = forge_kind(view.kept(GAME)), name == VOTE and not uid
    line = vote_line(kinds_named(view.votable), forge) if own else action_line(name, about, forge)
    proposes = travels or any(each.get("type") == "changes" and not each.get("optional") for each in arguments.values())
    lines = "".join(f"{argument}: \n" for argument in arguments)
    form = "" if not links else links.form("propose") if proposes else links.form("act", action=name, arguments=lines)
    fill = [f"{argument}: {words}" for argument, spec in arguments.items() if (words := argument_words(spec or {}))]
    return ListedAction(
        anchor=anchor_name("act", name),
        summary=quoted(here, summary) if uid and about.get("summary") else summary,
        office=titled(about["as"]) if about.get("as") else "",
        anyone="anyone" in doers(about),
        things=", ".join(titled(each) for each in doers(about) if each not in ("player", "anyone")),
        acting=here.players(view.answers.get(f"acts_for:{about.get('as')}")),
        rule=Link(f"rule {view.number(uid)}", here.url(rule_path(uid))) if uid else None,
        line="" if travels else line,
        fill=remark(" · ".join(fill)) if fill else Html(""),
        form=form,
        proposes=proposes,
        sealed=links_of_act(here, name, arguments),
    )


def new_rule(links: ForgeLinks) -> str:
    """Return the address of a new file for a rule, begun already."""
    return links.new("rules/new-rule.yaml", NEW_RULE)


NEW_RULE = """\
# A new rule. What is proposed by this file is voted on word for word.
title: ""
# What the law says, in words.
text: |

# What the rule does by itself, if anything:
#script: |
#  def on_proposal_adopted(e):
#      award(e.proposal.author, "score", 1, why = "a proposal was adopted")
"""
