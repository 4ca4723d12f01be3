"""The journal: every recorded event with what came of it, two hundred to a page, and the draws of chance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import islice

from folkmoot.core.ballot_display import public_arguments
from folkmoot.core.documents import Document
from folkmoot.core.keys import GAME
from folkmoot.core.records import Entry
from folkmoot.site.entry_kinds import TELLING
from folkmoot.site.forge_links import arrival
from folkmoot.site.journal_days import Story, ballots_together, cast_on
from folkmoot.site.page_model import Page, Sheet
from folkmoot.site.pagination import Parts
from folkmoot.site.sealed_openings import proofs
from folkmoot.wording.effects import changes, effect, events
from folkmoot.wording.entries import was_refused
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import GROWING, growing, in_parts, indexed
from folkmoot.wording.markup import Html, chip, details, el, escape, facts, items, join, sentence, table
from folkmoot.wording.page_links import ENTRIES_PER_PAGE, Here, humane, journal_path
from folkmoot.wording.prose import phrase, prose
from folkmoot.wording.reasons import reason
from folkmoot.wording.sentences import act
from folkmoot.wording.translation import _

DRAWS_PER_PAGE = 200
LATEST = 60
"""Over how many of the newest entries the lines of the latest events reach."""
LISTED = Parts(20)
"""How many pages of entries stand on a list of them."""
_JOURNAL, _CHANCE = "journal/index.md", "chance/index.md"
MOST_EFFECTS = 60


def journal_pages(view: GameView) -> Iterator[Sheet]:
    """Return the journal's index and its pages."""
    yield Sheet(_JOURNAL, _index)
    numbers = [*view.index(journal_parts)]
    for list_number in LISTED.older(numbers):
        yield Sheet(_list_path(list_number), partial(_list, list_number))
    for number in numbers:
        yield entries_sheet(number)


@cache
def entries_sheet(number: int) -> Sheet:
    """Return a page of entries by its number from 0."""
    return Sheet(journal_path(number * ENTRIES_PER_PAGE + 1), partial(_entries_page, number))


def _list_path(number: int) -> str:
    return f"journal-list/{number + 1:04}.md"


@indexed
def journal_lists(view: GameView) -> dict[int, list[tuple[int, Entry, Entry, int]]]:
    """Return on each list of earlier pages: the number of each, its first and last entry, and how many are refused."""
    known = [*view.index(journal_parts).items()]
    refusals = view.index(journal_refusals)
    return {number: [(n, chunk[0], chunk[-1], refusals[n]) for n, chunk in LISTED.of(known, number)]
            for number in LISTED.older(known)}  # fmt: skip


def _list(number: int, view: GameView) -> Page:
    page = Page(_list_path(number), _list_title(number), tab=_JOURNAL, trail=[(_("Journal"), _JOURNAL)])
    here = Here(view, page.path)
    page.add(_chunks(_chunk_row(here, first, last, refused) for _n, first, last, refused in
                     reversed(view.index(journal_lists)[number])))  # fmt: skip
    return page


def _list_title(number: int) -> str:
    first, last = LISTED.span(number)
    return _("Journal {first} – {last}", first=(first - 1) * ENTRIES_PER_PAGE + 1, last=last * ENTRIES_PER_PAGE)


@growing
def journal_parts(_view: GameView, entries: Sequence[Entry]) -> dict[int, list[Entry]]:
    """Return entries by the number, from 0, of the page that `journal_path` gives them."""
    grouped: dict[int, list[Entry]] = {}
    for entry in entries:
        grouped.setdefault((int(entry.get("seq") or 1) - 1) // ENTRIES_PER_PAGE, []).append(entry)
    return {number: grouped[number] for number in sorted(grouped)}


@growing
def journal_refusals(view: GameView, entries: Sequence[Entry]) -> dict[int, int]:
    """Return how many acts were refused on each page of the journal."""
    parts = GROWING["journal_parts"](view, entries)
    return {number: sum(map(was_refused, chunk)) for number, chunk in parts.items()}


def _index(view: GameView) -> Page:
    page = Page(_JOURNAL, _("Journal"), summary=_("Every recorded event of {game}", game=view.title))
    here = Here(view, page.path)
    page.add(el("p", _("Everything that happened, in order. The law, the scores and the boards all follow from it.")))
    page.add(event_list(here, view.entries[-LATEST:][::-1]), heading=_("Latest"), anchor="latest")
    known, refusals = [*view.index(journal_parts).items()], view.index(journal_refusals)
    shown = _chunks(_chunk_row(here, chunk[0], chunk[-1], refusals[n]) for n, chunk in reversed(LISTED.newest(known)))
    links = [here.link(_list_title(number), _list_path(number)) for number in reversed(LISTED.older(known))]
    page.add(shown, items(links) if links else "", heading=_("All entries"), anchor="all")
    return page


def _chunks(rows: Iterable[list[object]]) -> Html:
    return table([_("Entries"), _("From"), _("To"), _("Refused")], rows, numeric=8)


def _chunk_row(here: Here, first: Entry, last: Entry, count: int) -> list[object]:
    link = here.link(f"{first['seq']} – {last['seq']}", journal_path(first["seq"]))
    return [link, here.when(first.get("at")), here.when(last.get("at")), count]


def _entries_page(number: int, view: GameView) -> Page:
    chunk = view.index(journal_parts)[number]
    first, last = chunk[0]["seq"], chunk[-1]["seq"]
    title = _("Journal {first} – {last}", first=first, last=last)
    page = Page(journal_path(first), title, tab=_JOURNAL, trail=[(_("Journal"), _JOURNAL)])
    here = Here(view, page.path)
    turn, story = _turn(here, number), Story(here, chunk, partial(article, here), partial(_gist, here))
    page.add(turn, story.choice())
    story.tell(page)
    page.add(turn)
    return page


def _turn(here: Here, number: int) -> Html:
    first = number * ENTRIES_PER_PAGE + 1
    older = here.link(_("← earlier"), journal_path(first - 1)) if number else ""
    known = number + 1 in here.view.index(journal_parts)
    newer = here.link(_("later →"), journal_path(first + ENTRIES_PER_PAGE)) if known else ""
    return el("p", older, " ", newer, class_="fm-turn") if older or newer else Html("")


def event_list(here: Here, entries: Iterable[Entry], most: int = 20) -> Html:
    """Return entries, the newest first, as at most so many short lines; ballots on one thing are one line together."""
    lines = (_event_line(here, on, several) for on, several in ballots_together(entries))
    return el("ol", join(islice(lines, most)), class_="fm-events")


def _event_line(here: Here, on: str, several: Sequence[Entry]) -> Html:
    entry = several[0]
    told = act(here, entry) if len(several) == 1 else cast_on(here, several, here.proposal(on))
    mark = chip(_("refused"), "bad") if was_refused(entry) else ""
    head = el("span", here.entry(entry.get("seq")), " ", here.when(entry.get("at")), class_="fm-events__when")
    gist = join(_gist(here, each) for each in several)
    return el("li", head, el("span", told, " ", mark, gist, class_="fm-events__what"))


def _gist(here: Here, entry: Entry) -> Html:
    """Return the effects worth a line on a dashboard: what was proposed, decided, paid or won."""
    made = [here.proposal(e.get("of")) for e in entry.get("effects") or () if e.get("effect") == "propose"]
    shown = [e for e in entry.get("effects") or () if e.get("effect") in TELLING]
    if entry.get("do") == "found" or not (shown or made):
        return Html("")
    lines = [here.told(effect, entry, each) for each in shown[:4]]
    more = [escape(_("and {count} more", count=len(shown) - 4))] if len(shown) > 4 else []
    return items([*made[:4], *lines, *more], class_="fm-gist")


def article(here: Here, entry: Entry, classes: str = "") -> Html:
    """Return an entry under the anchor `e<seq>`: what it tells, and folded all that is recorded of it."""
    seq, turned_down = entry.get("seq"), was_refused(entry)
    mark = chip(_("refused: {code}", code=entry["code"]), "bad") if turned_down else ""
    number = el("a", f"#{seq}", href=f"#e{seq}", class_="fm-seq")
    head = el("header", number, " ", here.clock(entry.get("at")), " ", mark, class_="fm-entry__head")
    told = [el("p", act(here, entry), class_="fm-entry__act"), _said(here, entry), _gist(here, entry)]
    told += [_draws(here, entry), _failures(here, entry), _reasons(here, entry) if turned_down else Html("")]
    kind = " fm-entry--refused" if turned_down else ""
    return el("article", head, *told, _recorded(here, entry), id=f"e{seq}", class_=f"fm-entry{kind} {classes}".strip())


def _recorded(here: Here, entry: Entry) -> Html:
    """Return, folded, with what an act was done, all that came of it, why, and how it came in."""
    why = _reasons(here, entry) if not was_refused(entry) else ""
    parts = [_given(here, entry), _effects(here, entry), proofs(here, entry), why, _via(here, entry)]
    return details(_("As recorded"), *parts) if any(parts) else Html("")


def _said(here: Here, entry: Entry) -> Html:
    """Return the words that an act was about: a statement, the reason of a ballot."""
    given = entry.get("with") or {}
    named = {"vote": "reason", "state": "text"}.get(str(entry.get("do")))
    words = given.get(named) if named and not here.view.keeps_back(entry) else None
    return el("blockquote", prose(str(words), f"e{entry.get('seq')}")) if words else Html("")


def _given(here: Here, entry: Entry) -> Html:
    """Return what the act was done with, but for words that stand there already."""
    if entry.get("do") in ("found", "tick", "clock", "vote", "state") and not _is_own(entry):
        return Html("")
    given = public_arguments(entry) if here.view.keeps_back(entry) else entry.get("with") or {}
    shown = {n: value for n, value in given.items() if n not in ("changes", "requests", "title")}
    return facts((humane(name), _argument(here, value)) for name, value in shown.items())


def _is_own(entry: Entry) -> bool:
    """Whether somebody did what else the clock does."""
    return bool(entry.get("by")) and entry.get("do") in ("found", "tick", "clock")


def _argument(here: Here, value: object) -> Html:
    long = isinstance(value, str) and len(value) > 120
    return details(_("text"), prose(str(value), "argument")) if long else here.value(value)


def _effects(here: Here, entry: Entry) -> Html:
    lines = [here.told(effect, entry, each) for each in changes(entry)]
    raised = events(here, entry)
    told = el("p", raised, class_="fm-via") if raised else Html("")
    if len(lines) <= MOST_EFFECTS:
        return join([items(lines, class_="fm-effects") if lines else "", told])
    rest = details(_("{count} more", count=len(lines) - MOST_EFFECTS), items(lines[MOST_EFFECTS:], class_="fm-effects"))
    return join([items(lines[:MOST_EFFECTS], class_="fm-effects"), rest, told])


def _reasons(here: Here, entry: Entry) -> Html:
    why = entry.get("reasons") or ()
    if not why:
        return Html("")
    return details(_("Why"), items((reason(here, each) for each in why), class_="fm-reasons"), open_=was_refused(entry))


def _draws(here: Here, entry: Entry) -> Html:
    lines = [
        join([label(draw), ": ", el("strong", here.value(draw.get("result")))]) for draw in entry.get("draws") or ()
    ]
    return items(lines, class_="fm-draws") if lines else Html("")


def _failures(here: Here, entry: Entry) -> Html:
    lines = [
        sentence(
            "{rule} failed in {hook}: {error}",
            rule=here.rule(f.get("rule")),
            hook=el("code", str(f.get("hook", ""))),
            error=str(f.get("error", "")),
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


def chance_pages(view: GameView) -> Iterator[Sheet]:
    """Return every draw of chance, the newest first, two hundred to a page."""
    yield Sheet(_CHANCE, _chance)
    for number in [*view.index(draw_parts)][:-1]:
        yield Sheet(_chance_path(number), partial(_older_draws, number))


@growing
def draws(_view: GameView, entries: Sequence[Entry]) -> dict[str, list[tuple[Entry, Document]]]:
    """Return every draw with its entry, oldest first, as `all`."""
    return {"all": [(entry, draw) for entry in entries for draw in entry.get("draws") or ()]}


@indexed
def draw_parts(view: GameView) -> dict[int, Sequence[tuple[Entry, Document]]]:
    """Return the draws by the number of their page from 0."""
    return in_parts(view.index(draws)["all"], DRAWS_PER_PAGE)


def _chance(view: GameView) -> Page:
    page = Page(_CHANCE, _("Chance"), summary=_("Every draw of {game}, and how to check it", game=view.title))
    here, numbers = Here(view, page.path), [*view.index(draw_parts)]
    page.add(_epochs(here))
    if not numbers:
        page.add(el("p", _("Nothing has been drawn yet.")))
    else:
        page.add(_draw_table(here, view.index(draw_parts)[numbers[-1]]), heading=_("Draws"), anchor="draws")
    links = [here.link(_chance_title(number), _chance_path(number)) for number in numbers[:-1]]
    page.add(items(links) if links else "")
    return page


def _older_draws(number: int, view: GameView) -> Page:
    page = Page(_chance_path(number), _chance_title(number), tab=_CHANCE, trail=[(_("Chance"), _CHANCE)])
    page.add(_draw_table(Here(view, page.path), view.index(draw_parts)[number]))
    return page


def _chance_title(number: int) -> str:
    first, last = number * DRAWS_PER_PAGE + 1, (number + 1) * DRAWS_PER_PAGE
    return _("Draws {first} – {last}", first=first, last=last)


def _chance_path(number: int) -> str:
    return f"chance/{number + 1:04}.md"


def _epochs(here: Here) -> Html:
    chance: Document = here.view.kept(GAME).get("chance", {})
    lost = [el("p", sentence("Chance epoch {number} ended without its secret: {why}",
                             number=here.value(each.get("epoch")), why=str(each.get("why"))))
            for each in chance.get("lost") or ()]  # fmt: skip
    if not chance.get("commitment"):
        plain = _("This game keeps no secret for its dice: whoever reads the journal could foresee them.")
        return join([el("p", plain), *lost])
    opened = items(el("code", here.value(each)) for each in chance.get("opened") or ())
    return join([
        el("p", _("Every draw follows from a secret whose hash was published before it was used; when the secret is "
                  "opened, anybody can check every roll.")),
        facts([(_("Epoch"), here.value(chance.get("epoch"))),
               (_("Hash of its secret"), el("code", chance["commitment"]))]),
        details(_("Secrets opened so far"), opened) if chance.get("opened") else "",
        *lost,
    ])  # fmt: skip


def _draw_table(here: Here, draws: Sequence[tuple[Entry, Document]]) -> Html:
    rows = [
        [here.entry(e.get("seq")), here.when(e.get("at")), label(d), here.value(d.get("spec")),
         here.value(d.get("result"))]
        for e, d in reversed(draws)
    ]  # fmt: skip
    return table(
        [_("Entry"), _("When"), _("For"), _("Drawn from"), _("Result")],
        rows,
        stacked=True,
    )


def label(draw: Document) -> Html:
    """Return what a draw was for."""
    return phrase(str(draw.get("label") or _("draw")))
