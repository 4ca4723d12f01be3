"""Which rules name which: a drawing of rules one below the other, with arcs between them, and the same as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from folkmoot.site import svg
from folkmoot.site.chart import COLOURS, phrase_of
from folkmoot.site.citations import citing
from folkmoot.site.page_model import Page, Sheet
from folkmoot.wording.game_view import GameView, natural
from folkmoot.wording.markup import Html, details, el, join, shortened, table
from folkmoot.wording.page_links import Here, graph_path, rule_path
from folkmoot.wording.prose import phrase
from folkmoot.wording.translation import _

MOST = 80
"""How many rules have room on the drawing: those that name, and are named by, the most."""
ROW, LEFT, WIDTH, FARTHEST = 24, 330, 640, 280
LONGEST = 36
Pair = tuple[str, str]
"""The ids of a rule that names another one, and of that one."""


def law_graph(view: GameView) -> Iterator[Sheet]:
    """Return the page of which rules name which."""
    yield Sheet(graph_path(), _page)


def _page(view: GameView) -> Page:
    page = Page(graph_path(), _("Which rules name which"), tab="law/index.md", trail=[(_("Law"), "law/index.md")])
    here, pairs = Here(view, page.path), pairs_of(view)
    page.summary = _("Which rules of {game} name which others in their text", game=view.title)
    if not pairs:
        page.add(el("p", _("No rule in force names another one by its number.")))
        return page
    shown = _drawn(view, pairs)
    page.add(el("p", _("An arc leads from each rule that names another one to the dot at the one that it names."),
                class_="fm-lead"))  # fmt: skip
    if len(shown) < len({uid for pair in pairs for uid in pair}):
        page.add(el("p", _("Those {count} are drawn that have the most arcs.", count=len(shown)), class_="fm-more"))
    page.add(el("figure", _drawing(here, shown, pairs), _words(here, pairs), class_="fm-board"))
    return page


def pairs_of(view: GameView) -> list[Pair]:
    """Return each rule in force that names another rule with that one."""
    return [(uid, cited) for cited, several in view.index(citing).items() for uid in several]


def _drawn(view: GameView, pairs: Sequence[Pair]) -> list[str]:
    """Return the rules that are drawn, by number."""
    arcs = Counter(uid for pair in pairs for uid in pair)
    most = sorted(arcs, key=lambda uid: (-arcs[uid], natural(view.number(uid)), uid))[:MOST]
    return sorted(most, key=lambda uid: (natural(view.number(uid)), uid))


def _drawing(here: Here, shown: Sequence[str], pairs: Sequence[Pair]) -> Html:
    place = {uid: ROW * row + ROW for row, uid in enumerate(shown)}
    arcs = [_arc(here, pair, place) for pair in pairs if set(pair) <= set(place)]
    names = [_name(here, uid, y) for uid, y in place.items()]
    about = _("{count} rules, and {arcs} times that one names another.", count=len(shown), arcs=len(arcs))
    height = ROW * (len(shown) + 1)
    return svg.drawing("graph", WIDTH, height, _("Which rules name which"), about, *arcs, *names, kind="graph")


def _name(here: Here, uid: str, y: int) -> Html:
    words = shortened(f"{here.view.number(uid)} {here.view.rule_title(uid)}", LONGEST)
    return el("a", svg.text(LEFT - 10, y + 4, phrase_of(words), "fm-label", "end"), href=here.url(rule_path(uid)))


def _arc(here: Here, pair: Pair, place: dict[str, int]) -> Html:
    """Return the arc from a rule to one that it names: the farther apart they stand, the farther it reaches."""
    start, end = (place[uid] for uid in pair)
    reach = LEFT + min(FARTHEST, 14 + abs(start - end) // 2)
    tip = _("rule {number} names rule {other}", number=here.view.number(pair[0]), other=here.view.number(pair[1]))
    colour = f"fm-c{start // ROW % COLOURS}"
    path = el("path", d=f"M{LEFT} {start}C{reach} {start} {reach} {end} {LEFT} {end}", class_="fm-line")
    dot = el("circle", cx=LEFT, cy=end, r=4, class_="fm-dot")
    return el("g", svg.tooltip(tip), path, dot, class_=f"fm-arc {colour}")


def _words(here: Here, pairs: Sequence[Pair]) -> Html:
    view = here.view
    names: dict[str, list[str]] = {}
    for uid, cited in pairs:
        names.setdefault(uid, []).append(cited)
    by_number = sorted({uid for pair in pairs for uid in pair}, key=lambda uid: (natural(view.number(uid)), uid))
    rows = [[here.rule(uid, view.number(uid)), phrase(view.rule_title(uid)), _listed(here, names.get(uid, ())),
             _listed(here, view.index(citing).get(uid, ()))] for uid in by_number]  # fmt: skip
    columns = [_("No."), _("Title"), _("Names"), _("Cited by")]
    return details(_("The same in words ({count} rules)", count=len(rows)), table(columns, rows))


def _listed(here: Here, uids: Sequence[str]) -> Html:
    known = sorted(uids, key=lambda uid: natural(here.view.number(uid)))
    return join((here.rule(uid, here.view.number(uid)) for uid in known), ", ")
