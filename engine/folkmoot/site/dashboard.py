"""The page one opens every morning: whose turn it is, what is open until when, who owes what, how things stand."""

from __future__ import annotations

from collections.abc import Iterator

from folkmoot.core.documents import Document
from folkmoot.game.agenda import deadline, held_in, missing_votes
from folkmoot.game.status import asleep_in
from folkmoot.kernel.failures import WAKING
from folkmoot.site.document import Page, note, state_chip
from folkmoot.site.forge_links import arrival
from folkmoot.site.journal import event_list
from folkmoot.site.people import duty_list
from folkmoot.site.proposals import name_of
from folkmoot.site.scores import standing
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, chip, el, facts, join
from folkmoot.wording.page_links import Here, humane, proposal_path, titled
from folkmoot.wording.prose import phrase

LATEST = 12
MOST_ASLEEP = 10  # rules that are told one by one
MOST_HELD = 50  # acts that wait


def dashboard(view: GameView) -> Page:
    """Return the game's front page."""
    page = Page("index.md", view.title, summary=f"{view.title}: how things stand", searchable=True)
    here = Here(view, page.path)
    page.add(_state_of_game(here), *_asleep(here), _turn(here))
    page.add(*_open_votes(here) or [el("p", "Nothing is being voted on.", class_="fm-none")],
             heading="Open votes", anchor="votes")  # fmt: skip
    owed = duty_list(here)
    page.add(owed or el("p", "Nobody owes anything.", class_="fm-none"), heading="To do", anchor="owed")
    held = held_in(view.documents)
    page.add(_held(here, held), heading="Waiting" if held else "", anchor="held")
    page.add(_coming(here), heading="Coming up" if view.document("things/timer") else "", anchor="coming")
    if view.currencies:
        more = el("p", here.link("Scores over time and the ledger", "scores/index.md"), class_="fm-more")
        page.add(standing(here, here.view.told_currencies), more, heading="Standing", anchor="standing")
    telling = [
        entry
        for entry in view.entries
        if entry.get("do") not in ("tick", "clock") or entry.get("by") or entry.get("effects")
    ]
    page.add(event_list(here, telling[-LATEST:][::-1]), el("p", here.link("The whole journal", "journal/index.md"),
             class_="fm-more"), heading="Latest events", anchor="latest")  # fmt: skip
    page.add(_followed(here))
    return page


def _followed(here: Here) -> Html:
    """Return the ways to hear of what happens without coming here."""
    ways = [here.file("all events", "events.atom"), here.file("proposals", "proposals.atom"),
            here.file("changes of the law", "law.atom"), here.file("deadlines", "calendar.ics")]  # fmt: skip
    return el("p", "Follow as a feed or calendar: ", join(ways, " · "), class_="fm-more")


def _state_of_game(here: Here) -> Html:
    game = here.view.document("game")
    over, paused = game.get("over"), game.get("paused")
    if over:
        why = join(
            [phrase(str(over.get("why") or "")), join([" (", here.rule(over["rule"]), ")"]) if over.get("rule") else ""]
        )
        return note(
            join([here.players(over.get("winner")), ", ", here.when(over.get("at")), ". ", why]), "good", "Won by"
        )
    if paused is not None:
        return note(join(["since ", here.when(paused), ". Timers stand still; nothing is due until play resumes."]),
                    "wait", "The game is paused")  # fmt: skip
    return Html("")


def mover(view: GameView) -> str | None:
    """Return whose turn it is, as the rules answer."""
    found = view.answers.get("mover")
    return str(found) if found in view.players else None


def _sleeping(view: GameView, register: str) -> str:
    """Return the uid of the rule that keeps a register of the game, if it sleeps: what that holds is not kept up."""
    uid = view.declared("defines.game").get(register, ("", {}))[0]
    return uid if (view.law.get(uid) or {}).get("suspended") else ""


def _asleep(here: Here) -> Iterator[Html]:
    """Yield a note for each rule in force whose script sleeps."""
    sleeping = asleep_in(here.view.documents)
    for rule in sleeping[:MOST_ASLEEP]:
        since = join([" since ", here.entry(rule["since"], f"entry {rule['since']}")]) if rule["since"] else ""
        title = phrase(rule["title"])
        said = join(
            [" (", title, ")", since, ": ", phrase(rule["why"].rstrip(".")), f". Its script does nothing; {WAKING}."]
        )
        yield note(join([here.rule(rule["uid"]), said]), "bad", "A rule sleeps:")
    if len(sleeping) > MOST_ASLEEP:
        yield note(f"The page of the law shows {len(sleeping) - MOST_ASLEEP} more.", "bad", "More rules sleep.")


def _turn(here: Here) -> Html:
    """Return whose turn it is, set large, with the game's own registers beside it."""
    view = here.view
    registers, declared = view.registers("game", "game"), view.declared("defines.game")
    player = mover(view)
    shown = [
        (titled(name), _kept(here, name, here.value(value, str((declared.get(name) or ("", {}))[1].get("type") or ""))))
        for name, value in registers.items()
        if value not in (None, False, "") and not isinstance(value, list | dict)
        if not (declared.get(name) or ("", {}))[1].get("bookkeeping")
    ]
    turn = _card("Turn", here.player(player)) if player else Html("")
    last = view.entries[-1] if view.entries else {}
    as_of = _card("As of", join([here.when(view.now), " ", here.entry(last.get("seq"))]))
    cards = el("div", turn, as_of, class_="fm-cards")
    return join([cards, facts(shown[:10])])


def _kept(here: Here, register: str, shown: Html) -> Html:
    """Return what a register holds, and whether the rule that keeps it sleeps."""
    uid = _sleeping(here.view, register)
    return join([shown, " (as it was; ", here.rule(uid), " sleeps)"]) if uid else shown


def _card(title: str, body: object) -> Html:
    return el(
        "div", el("span", title, class_="fm-card__title"), el("span", body, class_="fm-card__body"), class_="fm-card"
    )


def _open_votes(here: Here) -> list[Html]:
    unresolved = [p for p in here.view.proposals.values() if not p.get("outcome")]
    return [_vote(here, proposal) for proposal in unresolved]


def _vote(here: Here, proposal: Document) -> Html:
    ballots, electorate = proposal.get("ballots") or {}, list(proposal.get("electorate") or ())
    title = here.link(
        join([name_of(proposal), ": ", phrase(str(proposal.get("title") or "untitled"))]), proposal_path(proposal)
    )
    due = deadline(here.view.documents, proposal)
    known = facts([
        ("Author", here.player(proposal.get("author"))),
        ("Ends", here.when(due) if due else ""),
        ("In", f"{len(ballots)} of {len(electorate)} ballots" if electorate else ""),
        ("Awaited", here.players(missing_votes(proposal))),
        ("Vote", arrival(here, proposal.get("via")) if proposal.get("state") == "open" else ""),
    ])  # fmt: skip
    bar = el("progress", max=len(electorate), value=len(ballots), aria_label="Ballots in") if electorate else ""
    head = el("p", title, " ", state_chip(proposal, here.view.outcomes), class_="fm-vote__title")
    return el("article", head, bar, known, class_="fm-vote")


def _held(here: Here, held: list[Document]) -> Html:
    """Return the acts that the law holds: whose, what, since when and for what."""
    lines = [_held_act(here, act) for act in held[:MOST_HELD]]
    if len(held) > MOST_HELD:
        lines.append(el("li", f"… and {len(held) - MOST_HELD} more"))
    return el("ul", join(lines), class_="fm-duties") if lines else Html("")


def _held_act(here: Here, act: Document) -> Html:
    rule = join([" (", here.rule(act["rule"]), ")"]) if act.get("rule") else ""
    what = el("span", humane(act["do"]), class_="fm-duty__what")
    since = join([", sent ", here.when(act["at"]), " ", here.entry(act["id"])])
    return el("li", here.player(act["by"]), ": ", what, since, ", waits for ", el("strong", phrase(act["label"])), rule)


def _coming(here: Here) -> Html:
    timers = sorted(here.view.document("things/timer").items(), key=lambda pair: (pair[1].get("due") or 0, pair[0]))
    declared = here.view.declared("timers")
    lines = [_timer(here, key, timer, declared) for key, timer in timers[:12]]
    return el("ul", join(lines), class_="fm-duties") if lines else Html("")


def _timer(here: Here, key: str, timer: Document, declared: dict[str, tuple[str, Document]]) -> Html:
    name = str(timer.get("name") or key)
    summary = (declared.get(name) or ("", {}))[1].get("summary")
    rule = join([" (", here.rule(timer["rule"]), ")"]) if timer.get("rule") else ""
    words = el("span", phrase(str(summary or titled(name))), class_="fm-duty__what")
    return el("li", el("strong", here.when(timer.get("due"))), " ", words, rule)


def game_cards(views: list[GameView]) -> Iterator[Html]:
    """Return a card for each game, for the page in front of all games."""
    for view in views:
        here = Here(view, "../index.md")
        facts_shown = facts([
            ("Turn", phrase(view.name(mover(view) or "")) if mover(view) else ""),
            ("Players", len(view.present)),
            ("Rules in force", len(view.ranked)),
            ("Open votes", sum(1 for p in view.proposals.values() if p.get("state") == "open") or ""),
            ("Last event", here.when(view.now)),
        ])  # fmt: skip
        head = el(
            "p",
            el("a", phrase(view.title), href=f"{view.slug}/index.html"),
            " ",
            _status(view),
            class_="fm-vote__title",
        )
        leaders = _leaders(view)
        yield el("article", head, facts_shown, leaders, class_="fm-vote")


def _status(view: GameView) -> Html:
    game = view.document("game")
    word = "over" if game.get("over") else "paused" if game.get("paused") is not None else "open"
    return chip(word, "wait") if word != "open" else el("span", "in play", class_="fm-chip fm-chip--good")


def _leaders(view: GameView) -> Html:
    if not view.currencies:
        return Html("")
    name = view.told_currencies[0]
    held = {player: int(view.registers("player", player).get(name) or 0) for player in view.present}
    best = sorted(view.present, key=lambda player: -held[player])[:3]
    words = join((join([phrase(view.name(p)), " ", el("strong", str(held[p]).replace("-", "−"))]) for p in best), ", ")
    return el("p", "Leading: ", words, class_="fm-more") if best else Html("")
