"""The journal: every recorded event with what came of it, two hundred to a page, and the draws of chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from folkmoot.core.documents import Document
from folkmoot.site.document import Page
from folkmoot.site.forge_links import arrival
from folkmoot.site.openings import proofs
from folkmoot.wording.effects import changes, effect, events
from folkmoot.wording.game_view import Entry, GameView
from folkmoot.wording.markup import Html, chip, details, el, escape, facts, items, join, table
from folkmoot.wording.page_links import ENTRIES_PER_PAGE, Here, humane, journal_path
from folkmoot.wording.prose import phrase, prose
from folkmoot.wording.reasons import reason
from folkmoot.wording.sentences import act, refused

DRAWS_PER_PAGE = 500
MOST_EFFECTS = 60

TELLING = frozenset(
    "award resolve enact amend repeal transmute retitle suspend wake repair win setting announce correct".split()
)


def journal_pages(view: GameView) -> Iterator[Page]:
    """Return the journal's index and its pages."""
    chunks = _chunks(view.entries)
    yield _index(view, chunks)
    for chunk in chunks:
        yield _entries_page(view, chunk, len(chunks))


def _chunks(entries: Sequence[Entry]) -> list[list[Entry]]:
    """Group entries by the page that `journal_path` gives them."""
    grouped: dict[int, list[Entry]] = {}
    for entry in entries:
        grouped.setdefault((int(entry.get("seq") or 1) - 1) // ENTRIES_PER_PAGE, []).append(entry)
    return [grouped[number] for number in sorted(grouped)]


def _index(view: GameView, chunks: list[list[Entry]]) -> Page:
    page = Page("journal/index.md", "Journal", summary=f"Every recorded event of {view.title}")
    here = Here(view, page.path)
    page.add(el("p", "Everything that happened, in order. The law, the scores and the boards all follow from it."))
    page.add(event_list(here, view.entries[-20:][::-1]), heading="Latest", anchor="latest")
    rows = [_chunk_row(here, chunk) for chunk in reversed(chunks)]
    page.add(table(["Entries", "From", "To", "Refused"], rows, numeric=8), heading="All entries", anchor="all")
    return page


def _chunk_row(here: Here, chunk: list[Entry]) -> list[object]:
    first, last = chunk[0], chunk[-1]
    link = here.link(f"{first['seq']} – {last['seq']}", journal_path(first["seq"]))
    return [link, here.when(first.get("at")), here.when(last.get("at")), sum(refused(e) for e in chunk)]


def _entries_page(view: GameView, chunk: list[Entry], pages: int) -> Page:
    first, last = chunk[0]["seq"], chunk[-1]["seq"]
    path = journal_path(first)
    page = Page(path, f"Journal {first} – {last}", tab="journal/index.md", trail=[("Journal", "journal/index.md")])
    here = Here(view, path)
    page.add(_turn(here, first, pages), join(article(here, entry) for entry in chunk), _turn(here, first, pages))
    return page


def _turn(here: Here, first: int, pages: int) -> Html:
    number = (first - 1) // ENTRIES_PER_PAGE + 1
    older = here.link("← earlier", journal_path(first - 1)) if number > 1 else ""
    newer = here.link("later →", journal_path(first + ENTRIES_PER_PAGE)) if number < pages else ""
    return el("p", older, " ", newer, class_="fm-turn") if older or newer else Html("")


def event_list(here: Here, entries: Sequence[Entry]) -> Html:
    """Return entries as short lines, for dashboards."""
    return el("ol", join(_event_line(here, entry) for entry in entries), class_="fm-events")


def _event_line(here: Here, entry: Entry) -> Html:
    mark = chip("refused", "bad") if refused(entry) else ""
    gist = _gist(here, entry)
    head = el("span", here.entry(entry.get("seq")), " ", here.when(entry.get("at")), class_="fm-events__when")
    return el("li", head, el("span", act(here, entry), " ", mark, gist, class_="fm-events__what"))


def _gist(here: Here, entry: Entry) -> Html:
    """Return the effects worth a line on a dashboard: what was decided, paid or won."""
    shown = [e for e in entry.get("effects") or () if e.get("effect") in TELLING]
    if entry.get("do") == "found" or not shown:
        return Html("")
    lines = [effect(here, entry, each) for each in shown[:4]]
    more = [escape(f"and {len(shown) - 4} more")] if len(shown) > 4 else []
    return items([*lines, *more], class_="fm-gist")


def article(here: Here, entry: Entry) -> Html:
    """Return an entry in full, under the anchor `e<seq>`."""
    seq, turned_down = entry.get("seq"), refused(entry)
    mark = chip(f"refused: {entry['code']}", "bad") if turned_down else ""
    number = el("a", f"#{seq}", href=f"#e{seq}", class_="fm-seq")
    head = el("header", number, " ", here.when(entry.get("at")), " ", mark, class_="fm-entry__head")
    parts = [el("p", act(here, entry), class_="fm-entry__act"), _words(here, entry), _effects(here, entry)]
    parts += [
        proofs(here, entry),
        _reasons(here, entry),
        _draws(here, entry),
        _failures(here, entry),
        _via(here, entry),
    ]
    kind = " fm-entry--refused" if turned_down else ""
    return el("article", head, *parts, id=f"e{seq}", class_=f"fm-entry{kind}")


def _words(here: Here, entry: Entry) -> Html:
    """Return what the act was done with: statements as prose, the rest as facts."""
    given = entry.get("with") or {}
    if entry.get("do") in ("found", "tick", "clock") and not entry.get("by"):
        return Html("")
    if here.view.keeps_back(entry):
        return Html("")
    if entry.get("do") == "vote":
        because = given.get("reason")
        return el("blockquote", prose(str(because), f"e{entry.get('seq')}")) if because else Html("")
    if entry.get("do") == "state":
        return el("blockquote", prose(str(given.get("text") or ""), f"e{entry.get('seq')}"))
    shown = {name: value for name, value in given.items() if name not in ("changes", "requests", "title")}
    return facts((humane(name), _argument(here, value)) for name, value in shown.items())


def _argument(here: Here, value: object) -> Html:
    long = isinstance(value, str) and len(value) > 120
    return details("text", prose(str(value), "argument")) if long else here.value(value)


def _effects(here: Here, entry: Entry) -> Html:
    lines = [effect(here, entry, each) for each in changes(entry)]
    raised = events(here, entry)
    told = el("p", raised, class_="fm-via") if raised else Html("")
    if len(lines) <= MOST_EFFECTS:
        return join([items(lines, class_="fm-effects") if lines else "", told])
    rest = details(f"{len(lines) - MOST_EFFECTS} more", items(lines[MOST_EFFECTS:], class_="fm-effects"))
    return join([items(lines[:MOST_EFFECTS], class_="fm-effects"), rest, told])


def _reasons(here: Here, entry: Entry) -> Html:
    why = entry.get("reasons") or ()
    if not why:
        return Html("")
    return details("Why", items((reason(here, each) for each in why), class_="fm-reasons"), open_=refused(entry))


def _draws(here: Here, entry: Entry) -> Html:
    lines = [
        join([label(draw), ": ", el("strong", here.value(draw.get("result")))]) for draw in entry.get("draws") or ()
    ]
    return items(lines, class_="fm-draws") if lines else Html("")


def _failures(here: Here, entry: Entry) -> Html:
    lines = [
        join(
            [here.rule(f.get("rule")), " failed in ", el("code", str(f.get("hook", ""))), ": ", str(f.get("error", ""))]
        )
        for f in entry.get("failures") or ()
    ]
    return items(lines, class_="fm-failures") if lines else Html("")


def _via(here: Here, entry: Entry) -> Html:
    via = entry.get("via") or {}
    there = arrival(here, via)
    lines = [there] if there else []
    lines += [
        join([humane(name), " ", el("code", str(value))]) for name, value in via.items() if value not in (None, "")
    ]
    return el("p", join(lines, " · "), class_="fm-via") if lines else Html("")


def chance_pages(view: GameView) -> Iterator[Page]:
    """Return every draw of chance, the newest first, five hundred to a page."""
    draws = [(entry, draw) for entry in view.entries for draw in entry.get("draws") or ()]
    chunks = [draws[at : at + DRAWS_PER_PAGE] for at in range(0, len(draws), DRAWS_PER_PAGE)]
    page = Page("chance/index.md", "Chance", summary=f"Every draw of {view.title}, and how to check it")
    here = Here(view, page.path)
    page.add(_epochs(here))
    if not draws:
        page.add(el("p", "Nothing has been drawn yet."))
    else:
        page.add(_draw_table(here, chunks[-1]), heading="Draws", anchor="draws")
    links = [here.link(f"Draws {n * DRAWS_PER_PAGE + 1} – {(n + 1) * DRAWS_PER_PAGE}", _chance_path(n))
             for n in range(len(chunks) - 1)]  # fmt: skip
    page.add(items(links) if links else "")
    yield page
    for number, chunk in enumerate(chunks[:-1]):
        title = f"Draws {number * DRAWS_PER_PAGE + 1} – {(number + 1) * DRAWS_PER_PAGE}"
        older = Page(_chance_path(number), title, tab="chance/index.md", trail=[("Chance", "chance/index.md")])
        older.add(_draw_table(Here(view, older.path), chunk))
        yield older


def _chance_path(number: int) -> str:
    return f"chance/{number + 1:04}.md"


def _epochs(here: Here) -> Html:
    chance = here.view.document("game").get("chance") or {}
    lost = [el("p", "Chance epoch ", here.value(each.get("epoch")), " ended without its secret: ", str(each.get("why")))
            for each in chance.get("lost") or ()]  # fmt: skip
    if not chance.get("commitment"):
        plain = "This game keeps no secret for its dice: whoever reads the journal could foresee them."
        return join([el("p", plain), *lost])
    opened = items(el("code", here.value(each)) for each in chance.get("opened") or ())
    return join([
        el("p", "Every draw follows from a secret whose hash was published before it was used; when the secret is "
                "opened, anybody can check every roll."),
        facts([("Epoch", here.value(chance.get("epoch"))), ("Hash of its secret", el("code", chance["commitment"]))]),
        details("Secrets opened so far", opened) if chance.get("opened") else "",
        *lost,
    ])  # fmt: skip


def _draw_table(here: Here, draws: Sequence[tuple[Entry, Document]]) -> Html:
    rows = [
        [here.entry(e.get("seq")), here.when(e.get("at")), label(d), here.value(d.get("spec")),
         here.value(d.get("result"))]
        for e, d in reversed(draws)
    ]  # fmt: skip
    return table(["Entry", "When", "For", "Drawn from", "Result"], rows, "Draws, the newest first", stacked=True)


def label(draw: Document) -> Html:
    """Return what a draw was for."""
    return phrase(str(draw.get("label") or "draw"))
