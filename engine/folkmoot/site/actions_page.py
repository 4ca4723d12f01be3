"""How to act: every action that the rules offer, how it is written, and links that begin it on the forge."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from folkmoot.core.keys import GAME, forge_kind
from folkmoot.core.rule_blocks import ActionSpec, ArgumentSpec
from folkmoot.files.canonical import write_yaml
from folkmoot.game.agenda import arguments_needed
from folkmoot.kernel.act_declarations import (
    BEYOND_RULES,
    KERNEL_DECLARATIONS,
    OPEN_SEALED,
    VOTE,
    doers,
    kinds_named,
    vote_declaration,
)
from folkmoot.site.forge_links import ForgeLinks, links_of, outward
from folkmoot.site.page_model import Page
from folkmoot.site.seal_links import links_of_act
from folkmoot.wording.catalogue import quoted
from folkmoot.wording.game_view import GameView
from folkmoot.wording.invisible import visible
from folkmoot.wording.markup import Html, el, items, join, sentence
from folkmoot.wording.page_links import Here, anchor_name, file_name, humane
from folkmoot.wording.prose import remark
from folkmoot.wording.translation import _

Record = Mapping[str, Any]
PATH = "act.md"
_SAMPLES: dict[str, Any] = {
    "integer": 1,
    "boolean": True,
    "proposal": 301,
    "rule": "101",
    "player": "NAME",
    "list": [],
    "map": {},
    "changes": [],
    "settings": {},
    "time": 0,
    "any": None,
}


def act_page(view: GameView) -> Page:
    """Return the page of all actions."""
    page = Page(
        PATH,
        _("How to act"),
        summary=_("What can be done in {game}, and how it is written", game=view.title),
        searchable=True,
    )
    here, links = Here(view, page.path), links_of(view)
    page.add(_ways(here, links))
    declared = view.declared("actions")
    for uid in dict.fromkeys(uid for uid, _about in declared.values()):
        page.add(heading=f"{view.number(uid)} {view.rule(uid).get('title') or ''}", anchor=f"rule-{file_name(uid)}")
        for name, (owner, about) in declared.items():
            if owner == uid:
                _add_action(page, here, links, name, cast(ActionSpec, about), ruled=True)
    page.add(heading=_("In every game"), anchor="kernel")
    for name, about in KERNEL_DECLARATIONS.items():
        if name not in BEYOND_RULES and name not in declared:
            _add_action(page, here, links, name, _as_here(view, name, about))
    return page


def _as_here(view: GameView, name: str, about: ActionSpec) -> ActionSpec:
    """Return an act of the kernel as it is in a game: a ballot names what it is on by any kind that is voted on."""
    known = vote_declaration(view.votable) if name == VOTE else about
    arguments = {key: _told(spec or {}) for key, spec in (known.get("arguments") or {}).items()}
    return cast(ActionSpec, {**_told(known), **({"arguments": arguments} if arguments else {})})


def _told(about: Mapping[str, Any]) -> Record:
    """Return a declaration of the kernel with its summary in the language that is spoken."""
    return {**about, "summary": _(about["summary"])} if about.get("summary") else about


def vote_line(kinds: Iterable[str], forge: str = "github") -> str:
    """Return how a ballot is written where so many kinds are voted on, as `action_line`.

    >>> vote_line(["proposal", "petition"]), vote_line(["proposal"], "")
    ('/vote CHOICE [proposal=… | petition=…] [because …]', 'moot act vote choice=… [proposal=…] --by PLAYER')
    """
    named = " | ".join(f"--{kind} …" if forge == "local" else f"{kind}=…" for kind in kinds)
    if forge == "local":
        return f"moot vote [PULL | {named}] CHOICE [REASON]"
    return f"/vote CHOICE [{named}] [because …]" if forge else f"moot act vote choice=… [{named}] --by PLAYER"


def _ways(here: Here, links: ForgeLinks | None) -> Html:
    """Return in which ways one acts in this game."""
    if links is None:
        kind = forge_kind(here.view.kept(GAME))
        if kind == "local":
            words = _("From a clone of the game’s repository, by the commands below.")
        elif kind:
            words = _("Write the line in a comment, on a pull request or in the game’s own thread.")
        else:
            words = _("One person keeps this game, and records what everybody does: `moot act ACTION --by PLAYER`.")
        return el("p", remark(words), class_="fm-lead")
    example = next((here.view.number(uid) for uid in here.view.ranked), "1")
    lines = [
        sentence("By a form, without git: {act}, {propose}, {say}, {join}.", act=outward(_("act"), links.form("act")),
                 propose=outward(_("propose a rule-change"), links.form("propose")),
                 say=outward(_("say something or ask"), links.form("say")),
                 join=outward(_("join"), links.form("join"))),
        _by_file(links),
        sentence("By a comment, on a pull request, an issue or the game’s own thread: the lines below, each on a line "
                 "of its own. {help} and {rule} answer there.",
                 help=el("code", "/help"), rule=el("code", f"/rule {example}")),
    ]  # fmt: skip
    return items(lines)


def _by_file(links: ForgeLinks) -> Html:
    """Return how one acts by a file: in the forge's editor where that is for everybody, else from a clone."""
    if links.edits:
        new = outward(_("a new rule"), new_rule(links))
        return sentence(
            "By a pull request with a file: {new}, or the file of an act, which the links below begin.", new=new
        )
    return sentence(
        "By a pull request from your fork: {command} in a clone makes its branch.", command=el("code", "moot propose")
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


def _add_action(
    page: Page, here: Here, links: ForgeLinks | None, name: str, about: ActionSpec, *, ruled: bool = False
) -> None:
    arguments = about.get("arguments") or {}
    shown = [
        join([el("code", argument), ": ", remark(argument_words(spec or {}))]) for argument, spec in arguments.items()
    ]
    travels = about.get("travels") == "with_proposal"
    office = about.get("as")
    who = _for_holder(here.view, str(office)) if office else ""
    things = [humane(word) for word in doers(about) if word not in ("player", "anyone")]
    who = _("Rules let it be done by things: {things}.", things=", ".join(things)) if things else who
    who = _("For anybody, players or not.") if "anyone" in doers(about) else who
    summary = remark(str(about.get("summary") or ""))
    told = filter(None, (quoted(here, summary) if ruled and about.get("summary") else summary, remark(who)))
    page.add(
        el("p", join(told, ". ")) if about.get("summary") or who else "",
        el("p", el("code", _line_of(here.view, name, about))) if not travels else "",
        items(shown) if shown else "",
        el("p", _("It travels with a proposal."), class_="fm-more") if travels else "",
        _links(links, name, about),
        links_of_act(here, name, arguments),
        heading=name,
        anchor=anchor_name("act", name),
        level=3,
    )  # fmt: skip


def _for_holder(view: GameView, office: str) -> str:
    """Return who acts in an office: its holder, and whoever may act for it."""
    found = ", ".join(str(player) for player in view.answers.get(f"acts_for:{office}") or ())
    if found:
        return _("For the holder of the office {office}, and for {players}, who may act for it.",
                 office=office, players=found)  # fmt: skip
    return _("For the holder of the office {office}.", office=office)


def _line_of(view: GameView, name: str, about: ActionSpec) -> str:
    own, forge = name == VOTE and VOTE not in view.declared("actions"), forge_kind(view.kept(GAME))
    return vote_line(kinds_named(view.votable), forge) if own else action_line(name, about, forge)


def _links(links: ForgeLinks | None, name: str, about: Record) -> Html:
    if links is None:
        return Html("")
    found = list(_ways_to(links, name, about))
    return el("p", join(found, " · "), class_="fm-more fm-edit")


def _ways_to(links: ForgeLinks, name: str, about: Record) -> Iterator[Html]:
    arguments = about.get("arguments") or {}
    if any(spec.get("type") == "changes" and not spec.get("optional") for spec in arguments.values()):
        yield outward(_("Propose by a form"), links.form("propose"))
        if links.edits:
            yield outward(_("Propose a new rule as a file"), new_rule(links))
        return
    if about.get("travels") != "with_proposal":
        lines = "".join(f"{argument}: \n" for argument in arguments)
        yield outward(_("Do it by a form"), links.form("act", action=name, arguments=lines))
    elif not links.edits:
        yield outward(_("Propose by a form"), links.form("propose"))
    if links.edits:
        yield outward(
            _("By a file in a pull request"), links.new(f"inbox/{_file_of(name)}.yaml", inbox_file(name, about))
        )


def _file_of(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,63}", name, re.ASCII) else file_name(name)


def inbox_file(name: str, about: Record) -> str:
    r"""Return the file of an act with its arguments as comments; without the `#` in front of them they are YAML too.

    >>> print(inbox_file("pay", {"summary": "Pay", "arguments": {"to": {"type": "player"}}}), end="")
    # Pay. Take the # away in front of what you fill in.
    do: pay
    #args:
    #  to: NAME  # player
    """
    arguments = about.get("arguments") or {}
    fill = " Take the # away in front of what you fill in." if arguments else ""
    lines = [f"# {_line(about.get('summary') or name)}.{fill}", _pair("do", name)]
    if about.get("as"):
        lines.append(_pair("as", str(about["as"])))
    lines += ["#args:"] if arguments else []
    for argument, spec in arguments.items():
        lines.append(f"#  {_pair(argument, _sample(spec))}  # {_line(argument_words(spec))}")
    return "\n".join(lines) + "\n"


def _pair(name: str, value: Any) -> str:
    """Return a name and a value as one line of YAML; names are what rules declare, which may be anything."""
    plain = _line(value) if isinstance(value, str) else value
    return write_yaml({_line(name) or "-": plain}).rstrip("\n")


def _sample(spec: Record) -> Any:
    if spec.get("of"):
        return spec["of"][0]
    if spec.get("minimum") is not None:
        return spec["minimum"]
    return _SAMPLES.get(str(spec.get("type") or "text"), "")


def _line(text: object) -> str:
    """Return words on one line, whatever they hold, for a comment in a file."""
    line = " ".join(visible(str(text)[:400]).split()).rstrip(".")
    return line.encode("utf-8", "replace").decode()


def action_line(name: str, declared: ActionSpec, forge: str = "github") -> str:
    """Return how an action is written on a kind of forge, what may be left out in brackets.

    That is in a comment on the web, else by a command; "" is no forge: then one person records what all do.

    >>> action_line("pay", {"arguments": {"to": {"type": "player"}, "why": {"type": "text", "optional": True}}})
    '/do pay to=… [why=…]'
    >>> action_line("rule", {"as": "judge"}, "local"), action_line("rule", {"as": "judge"}, "")
    ('moot act rule --as judge', 'moot act rule --as judge --by PLAYER')
    """
    arguments = declared.get("arguments") or {}
    words = [
        f"[{argument}=…]" if spec.get("optional") or spec.get("default") is not None else f"{argument}=…"
        for argument, spec in arguments.items()
    ]
    office = declared.get("as")
    if forge not in ("", "local"):
        return " ".join([f"/do {name}", *words, *([f"as={office}"] if office else [])])
    if arguments_needed(name, {name: declared}) is None:
        return "moot propose" if forge else f"moot act {name} --rule FILE --by PLAYER"
    return " ".join(["moot act", name, *([] if name == OPEN_SEALED else words), *([f"--as {office}"] if office else []),
                     *([] if forge else ["--by PLAYER"])])  # fmt: skip


def argument_words(spec: ArgumentSpec) -> str:
    """Return what an argument must be, in words.

    >>> argument_words({"type": "integer", "minimum": 1, "summary": "How much"})
    'integer from 1. How much'
    """
    kind = str(spec.get("type") or "text") + (f" ({', '.join(map(str, spec['of']))})" if spec.get("of") else "")
    ends = (("from", spec.get("minimum")), ("to", spec.get("maximum")))
    kind = " ".join([kind, *(f"{word} {end}" for word, end in ends if end is not None)])
    default = spec.get("default")
    said = (
        f", {str(default).lower() if isinstance(default, bool) else default} if left out" if default is not None else ""
    )
    optional = ", may be left out" if spec.get("optional") and not said else ""
    return f"{kind}{said}{optional}" + (f". {spec['summary']}" if spec.get("summary") else "")
