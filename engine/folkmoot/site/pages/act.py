"""What you can do: every action that the rules offer, by what one wants to achieve, and how it is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec import Struct

from folkmoot.core.keys import GAME, forge_kind
from folkmoot.core.rule_blocks import ActionSpec
from folkmoot.game.actions import Offered, offered_in, proposes, topics_of
from folkmoot.game.status import asked_of, duties_in
from folkmoot.kernel.act_declarations import VOTE, doers, kinds_named
from folkmoot.site.action_lines import action_line, argument_words, vote_line
from folkmoot.site.forge_links import ForgeLinks, links_of
from folkmoot.site.page_data import Link, PageData
from folkmoot.site.pages.status import named, together
from folkmoot.site.sealed_values import links_of_act
from folkmoot.wording.catalogue import quoted
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, escape, sentence
from folkmoot.wording.page_links import Here, anchor_name, rule_path, titled
from folkmoot.wording.prose import phrase, remark

PATH = "act.md"
FIRST = 3
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


class Act(PageData, frozen=True, kw_only=True, tag="act"):
    """All that can be done in a game: how, what comes first and why, and all by topic.

    `forge` is the kind of the forge where it is played, `forms` are those there to act, to propose, to say something
    and to join, `new_rule` begins a file; `keeper` is who keeps the record on no forge.
    """

    forge: str
    forms: tuple[str, ...]
    new_rule: str
    keeper: Html
    first: tuple[tuple[ListedAction, Html], ...]
    topics: tuple[tuple[Html | str, tuple[ListedAction, ...]], ...]


def act_page(view: GameView) -> Act:
    """Return the page of all actions."""
    here, links, actions = Here(view, PATH), links_of(view), offered_in(view)
    begun = links if len(actions) <= MOST_FORMS else None
    shown = {name: _action(here, begun, name, *known) for name, known in actions.items()}
    topics = topics_of(view, actions)
    order, keepers = sorted(topics.values(), key=len, reverse=True), view.kept(GAME).get("administrators") or ()
    first = _first(here, actions, sorted(chain(*order), key=lambda name: bool(shown[name].office)))
    return Act(
        path=PATH,
        title="What you can do",
        summary=f"What can be done in {view.title}, and how it is written",
        searchable=True,
        forge=forge_kind(view.kept(GAME)),
        forms=tuple(map(links.form, ("act", "propose", "say", "join"))) if links else (),
        new_rule=new_rule(links) if links and links.edits else "",
        keeper=here.player(keepers[0]) if len(keepers) == 1 else Html(""),
        first=tuple((shown[name], why) for name, why in first),
        topics=tuple((phrase(title), tuple(shown[name] for name in names)) for title, names in topics.items()),
    )


# -- what comes first


def _first(here: Here, actions: Offered, names: Sequence[str]) -> Iterator[tuple[str, Html]]:
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
    proposing = [name for name in usual if proposes(declared[name])][:1]
    for name in [*dict.fromkeys([*owed, *proposing, VOTE, *usual])][:FIRST]:
        times = sentence("Done {count} times so far.", count=done[name]) if done[name] > 1 else Html("")
        yield name, owed.get(name, times)


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
