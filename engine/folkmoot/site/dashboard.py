"""The page one opens every morning: whose turn it is, what is open until when, who owes what, how things stand."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice

from folkmoot.core.documents import Document, Proposal
from folkmoot.core.keys import GAME
from folkmoot.core.records import Entry
from folkmoot.game.agenda import WaitingAct, deadline, held_in, missing_votes
from folkmoot.game.status import asleep_in
from folkmoot.kernel.failures import WAKING
from folkmoot.site.blocks import block, page_title
from folkmoot.site.forge_links import arrival
from folkmoot.site.headline import headline, mover, some_players, timers_to_come
from folkmoot.site.journal import LATEST, event_list
from folkmoot.site.last_law_change import law_line
from folkmoot.site.page_model import Page, note, state_chip
from folkmoot.site.people import duty_list
from folkmoot.site.proposal_lists import name_of
from folkmoot.site.scores import standing
from folkmoot.site.thumbnail import best_board, is_light, thumbnail
from folkmoot.wording.catalogue import quoted
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, details, el, facts, join, sentence, table
from folkmoot.wording.page_links import Here, board_path, humane, proposal_path, timer_words, titled
from folkmoot.wording.prose import phrase
from folkmoot.wording.translation import _

MOST_EVENTS = 12
MOST_CARDS = 3  # votes that have a card each
MOST_AWAITED = 6  # voters who are named
MOST_ASLEEP = 10  # rules that are told one by one
MOST_PENDING = 20  # proposals that wait for a vote
MOST_REGISTERS = 40
MOST_HELD = 50  # acts that wait


def dashboard(view: GameView) -> Page:
    """Return the game's front page: one sentence, what is open until when, the board, what happened, then the rest.

    Each part keeps its anchor where it says nothing, so that templates find it.
    """
    page = Page("index.md", view.title, summary=_("{game}: how things stand", game=view.title), searchable=True)
    here = Here(view, page.path)
    page.add(el("p", headline(here), class_="fm-headline"), _state_of_game(here), *_asleep(here), _latest_law(here))
    for heading, anchor, said in (
        (_votes_called(view), "votes", _open_votes(here)),
        (_("To do"), "owed", duty_list(here)),
        (_("Waiting"), "held", _held(here, held_in(view.documents))),
        (_("Coming up"), "coming", _coming(here)),
        (_board_title(view), "board", _board(here)),
    ):
        page.add(said, heading=heading if said else "", anchor=anchor)
    page.add(_since(here), event_list(here, _telling(view), MOST_EVENTS), el("p", here.link(_("The whole journal"),
             "journal/index.md"), class_="fm-more"), heading=_("Latest events"), anchor="latest")  # fmt: skip
    standing = _standing(here)
    page.add(standing, heading=_("Standing") if standing else "", anchor="standing")
    page.add(_registers(here), _followed(here), anchor="rest")
    return page


def _votes_called(view: GameView) -> str:
    voting = any(proposal.get("state") != "pending" for proposal in view.unresolved.values())
    return _("Open votes") if voting else _("Not decided yet")


def _telling(view: GameView) -> Iterator[Entry]:
    """Return the latest entries, without those of the clock that changed nothing."""
    told = (entry for entry in reversed(view.entries)
            if entry.get("do") not in ("tick", "clock") or entry.get("by") or entry.get("effects"))  # fmt: skip
    return islice(told, LATEST)


def _latest_law(here: Here) -> Html:
    law = law_line(here)
    return el("p", el("strong", _("Latest law:")), " ", law, class_="fm-lawline") if law else law


def _board_title(view: GameView) -> str:
    found = best_board(view)
    return page_title(found[0]) if found else ""


def _board(here: Here) -> Html:
    """Return the board that is to be seen first; one that would take much room as a small picture."""
    try:
        return _drawn_board(here)
    except Exception:  # noqa: BLE001 (its own page says that it cannot be drawn)
        return Html("")


def _drawn_board(here: Here) -> Html:
    found = best_board(here.view)
    if found is None:
        return Html("")
    shown, given = found
    more = el("p", here.link(_("All of this page"), board_path(shown.name)), class_="fm-more")
    if is_light(given):
        return join([block(here, given, "board"), more])
    small = thumbnail(here, given)
    return here.link(small, board_path(shown.name), class_="fm-game__board") if small else Html("")


def _standing(here: Here) -> Html:
    if not here.view.currencies:
        return Html("")
    more = el("p", here.link(_("Scores over time and the ledger"), "scores/index.md"), class_="fm-more")
    return join([standing(here, here.view.told_currencies), more])


def _since(here: Here) -> Html:
    """Return where a script says how much is new to a reader, who alone knows when they were here last."""
    last = here.view.entries[-1]["seq"] if here.view.entries else None
    said = {"one": _("One entry since your last visit."), "many": _("{count} entries since your last visit."),
            "none": _("Nothing new since your last visit.")}  # fmt: skip
    told = {f"data_{name}": words for name, words in said.items()}
    return el("p", here.entry(last), class_="fm-since fm-more", hidden=True,
              data_game=here.view.founding[:16], data_seq=last, **told)  # fmt: skip


def _followed(here: Here) -> Html:
    """Return the ways to hear of what happens without coming here."""
    ways = [here.file(_("all events"), "events.atom"), here.file(_("proposals"), "proposals.atom"),
            here.file(_("changes of the law"), "law.atom"), here.file(_("deadlines"), "calendar.ics")]  # fmt: skip
    return el("p", _("Follow as a feed or calendar:"), " ", join(ways, " · "), class_="fm-more")


def _state_of_game(here: Here) -> Html:
    game = here.view.kept(GAME)
    over, paused = game.get("over"), game.get("paused")
    if over:
        why = join(
            [
                quoted(here, over["why"]) if over.get("why") else "",
                join([" (", here.rule(over["rule"]), ")"]) if over.get("rule") else "",
            ]
        )
        return note(
            join([here.players(over.get("winner")), ", ", here.when(over.get("at")), ". ", why]), "good", _("Won by")
        )
    if paused is not None:
        said = sentence("since {when}. Timers stand still; nothing is due until play resumes.", when=here.when(paused))
        return note(said, "wait", _("The game is paused"))
    return Html("")


def _sleeping(view: GameView, register: str) -> str:
    """Return the uid of the rule that keeps a register of the game, if it sleeps: what that holds is not kept up."""
    uid = view.declared("defines.game").get(register, ("", {}))[0]
    return uid if (view.law.get(uid) or {}).get("suspended") else ""


def _asleep(here: Here) -> Iterator[Html]:
    """Yield a note for each rule in force whose script sleeps."""
    sleeping = asleep_in(here.view.documents)
    for rule in sleeping[:MOST_ASLEEP]:
        named = {"rule": here.rule(rule["uid"]), "title": phrase(rule["title"]),
                 "why": quoted(here, rule["why"].rstrip(".")), "waking": _(WAKING)}  # fmt: skip
        entry = here.entry(rule["since"], _("entry {number}", number=rule["since"])) if rule["since"] else ""
        if entry:
            said = sentence("{rule} ({title}) since {entry}: {why}. Its script does nothing; {waking}.",
                            **named, entry=entry)  # fmt: skip
        else:
            said = sentence("{rule} ({title}): {why}. Its script does nothing; {waking}.", **named)
        yield note(said, "bad", _("A rule sleeps:"))
    if len(sleeping) > MOST_ASLEEP:
        yield note(
            _("The page of the law shows {count} more.", count=len(sleeping) - MOST_ASLEEP),
            "bad",
            _("More rules sleep."),
        )


def _registers(here: Here) -> Html:
    """Return the game's own registers, folded, with whose turn it is and of when all this is."""
    view = here.view
    declared = view.declared("defines.game")
    shown = [
        (titled(name), _kept(here, name, here.value(value, str((declared.get(name) or ("", {}))[1].get("type") or ""))))
        for name, value in view.registers("game", "game").items()
        if value not in (None, False, "") and not isinstance(value, list | dict)
        if not (declared.get(name) or ("", {}))[1].get("bookkeeping")
    ]
    player, last = mover(view), view.entries[-1] if view.entries else None
    as_of = join([here.when(view.now), " ", here.entry(last["seq"])]) if last else ""
    turn = here.player(player) if player else ""
    return details(_("Registers of the game"), facts([(_("Turn"), turn), (_("As of"), as_of), *shown[:MOST_REGISTERS]]))


def _kept(here: Here, register: str, shown: Html) -> Html:
    """Return what a register holds, and whether the rule that keeps it sleeps."""
    uid = _sleeping(here.view, register)
    return sentence("{value} (as it was; {rule} sleeps)", value=shown, rule=here.rule(uid)) if uid else shown


def _open_votes(here: Here) -> Html:
    """Return what is voted on, each with what is known of its vote; what waits for a vote is one line each."""
    known = list(here.view.unresolved.values())
    voted = [proposal for proposal in known if proposal.get("state") != "pending"]
    votes = map(partial(_vote, here), voted) if len(voted) <= MOST_CARDS else [_vote_table(here, voted)]
    return join([*votes, _pending(here, [proposal for proposal in known if proposal.get("state") == "pending"])])


def _vote_table(here: Here, proposals: list[Proposal]) -> Html:
    """Return many votes as lines of a table."""
    rows = [
        [_named(here, each), here.player(each.get("author")), state_chip(each, here.view.outcomes), _ends(here, each),
         _("{count} of {all}", count=len(each.get("ballots") or ()), all=len(each.get("electorate") or ())),
         _awaited(here, each)]
        for each in proposals
    ]  # fmt: skip
    columns = [_("Title"), _("Author"), _("State"), _("Ends"), _("Ballots in"), _("Awaited")]
    return table(columns, rows)


def _ends(here: Here, proposal: Proposal) -> Html:
    due = deadline(here.view.documents, proposal)
    return el("span", here.when(due), class_="fm-due") if due else Html("")


def _awaited(here: Here, proposal: Proposal) -> Html:
    """Return who has not voted yet, of many the first."""
    return some_players(here, missing_votes(proposal), MOST_AWAITED)


def _pending(here: Here, proposals: list[Proposal]) -> Html:
    lines = [
        el("li", _named(here, each), " ", state_chip(each, here.view.outcomes), " ", here.player(each.get("author")))
        for each in proposals[:MOST_PENDING]
    ]
    if len(proposals) > MOST_PENDING:
        lines.append(el("li", "… ", _("and {count} more", count=len(proposals) - MOST_PENDING)))
    return el("ul", join(lines), class_="fm-duties") if lines else Html("")


def _named(here: Here, proposal: Proposal) -> Html:
    title = phrase(str(proposal.get("title") or _("untitled")))
    return here.link(join([name_of(proposal), ": ", title]), proposal_path(proposal))


def _vote(here: Here, proposal: Proposal) -> Html:
    ballots, electorate = proposal.get("ballots") or {}, list(proposal.get("electorate") or ())
    known = facts([
        (_("Author"), here.player(proposal.get("author"))),
        (_("Ends"), _ends(here, proposal)),
        (_("Ballots in"), _("{count} of {all}", count=len(ballots), all=len(electorate)) if electorate else ""),
        (_("Awaited"), _awaited(here, proposal)),
        (_("Vote"), arrival(here, proposal.get("via")) if proposal.get("state") == "open" else ""),
    ])  # fmt: skip
    bar = el("progress", max=len(electorate), value=len(ballots), aria_label=_("Ballots in")) if electorate else ""
    head = el("p", _named(here, proposal), " ", state_chip(proposal, here.view.outcomes), class_="fm-vote__title")
    return el("article", head, bar, known, class_="fm-vote")


def _held(here: Here, held: list[WaitingAct]) -> Html:
    """Return the acts that the law holds: whose, what, since when and for what."""
    lines = [_held_act(here, act) for act in held[:MOST_HELD]]
    if len(held) > MOST_HELD:
        lines.append(el("li", "… ", _("and {count} more", count=len(held) - MOST_HELD)))
    return el("ul", join(lines), class_="fm-duties") if lines else Html("")


def _held_act(here: Here, act: WaitingAct) -> Html:
    rule = join([" (", here.rule(act["rule"]), ")"]) if act.get("rule") else ""
    what = el("span", humane(act["do"]), class_="fm-duty__what")
    said = sentence("{player}: {what}, sent {when} {entry}, waits for {label}",
                    player=here.player(act["by"]), what=what, when=here.when(act["at"]), entry=here.entry(act["id"]),
                    label=el("strong", phrase(act["label"])))  # fmt: skip
    return el("li", said, rule)


def _coming(here: Here) -> Html:
    lines = [_timer(here, key, timer) for key, timer in timers_to_come(here.view)[:12]]
    return el("ul", join(lines), class_="fm-duties") if lines else Html("")


def _timer(here: Here, key: str, timer: Document) -> Html:
    rule = join([" (", here.rule(timer["rule"]), ")"]) if timer.get("rule") else ""
    words = el("span", quoted(here, timer_words(here.view, key, timer)), class_="fm-duty__what")
    return el("li", el("strong", here.when(timer.get("due")), class_="fm-due"), " ", words, rule)
