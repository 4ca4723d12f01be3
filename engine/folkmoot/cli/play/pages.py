"""What a player sees beside what everybody reads: the bar, the boxes with forms, and pages of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

from minijinja import Environment
from msgspec import Struct

from folkmoot.cli.play.clicking import cards_of, hand_of, one_word, squares_of
from folkmoot.cli.play.commands import Outcome
from folkmoot.cli.play.drafts import MORE, PARTS, draft_name, draft_of, drafts, idea, more_of
from folkmoot.cli.play.forms import Form
from folkmoot.cli.play.outbox import Parcel
from folkmoot.cli.play.seat import OpenVote, Seat, Standing
from folkmoot.cli.private_view import in_words
from folkmoot.core.clone_files import read_whole
from folkmoot.core.documents import Roster
from folkmoot.core.game_location import KINDS as WEB_FORGES
from folkmoot.core.keys import GAME, forge_kind
from folkmoot.game.actions import Action
from folkmoot.game.recipes import names as recipe_names
from folkmoot.game.recipes import recipe
from folkmoot.game.rulesets import head_of, names
from folkmoot.kernel.act_declarations import VOTE as VOTING
from folkmoot.kernel.act_declarations import argument_for_changes, closing_action, joining_action
from folkmoot.kernel.arguments import is_needed
from folkmoot.player.argument_values import known_values
from folkmoot.referee.people import whose
from folkmoot.site.output import digest_of
from folkmoot.site.pen import packaged, shown, template_environment
from folkmoot.wording.markup import Html, escape
from folkmoot.wording.page_links import rule_path, titled

FOLDER = Path(__file__).with_name("templates")
TOP, VOTE = "<!-- play -->", "<!-- play: vote -->"
"""What marks in a built page where a box stands; nothing that players write comes to a page as a comment."""
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; worker-src 'self' blob:; "
    "object-src 'none'; frame-src 'none'; frame-ancestors 'none'; base-uri 'self'; form-action 'self'"
)


class Hidden(Struct, frozen=True, kw_only=True):
    """The fields of every form that nobody sees: of which start of the server it is, and from which page.

    `seen` is the entry that the page shows, `root` below which path all of them lie.
    """

    token: str
    once: str
    game: str
    back: str
    seen: int
    root: str
    note: str = ""
    """Why what is shown is not the newest."""
    unsent: Sequence[Parcel] = ()
    """What the player has written that is only here."""


class Box(Struct, frozen=True, kw_only=True):
    """A form as it is to be drawn: what was written into it, and what came of trying that, if it was tried."""

    form: Form = Form({})
    outcome: Outcome | None = None


@cache
def environment() -> Environment:
    """Return what draws the templates of play, and the packaged ones that they use."""
    return template_environment(lambda name: packaged(name, FOLDER) or packaged(name))


def drawn(template: str, **given: object) -> Html:
    """Return what a template of play makes of what it is given."""
    return shown(environment().render_template(template, **given))


# -- pages of the site


def dressed(page: str, standing: Standing, hidden: Hidden, boxes: dict[str, Html]) -> str:
    """Return a page of a game with the bar, and with boxes at their marks."""
    waiting = len(standing.owed)
    you = standing.who(standing.player) if standing.player else None
    bar = drawn("bar.html", you=you, game=standing, waiting=waiting, hidden=hidden)
    head = f'<link rel="stylesheet" href="{hidden.root}/-/play.css"></head>'
    page = page.replace("</head>", head, 1).replace("</header>", f"</header>{bar}", 1)
    page = page.replace('name="referrer" content="no-referrer"', 'name="referrer" content="same-origin"', 1)
    if waiting:
        page = page.replace("<title>", f"<title>({waiting}) ", 1)
    for mark, box in boxes.items():
        page = page.replace(mark, box, 1)
    return with_script(page, hidden.root)


def with_script(page: str, root: str) -> str:
    """Return a page with the script that keeps it fresh."""
    return page.replace("</body>", f"{drawn('away.html', root=root)}</body>")


def framed(site: Path, standing: Standing, title: str, body: Html) -> str:
    """Return a page of a player's own in the frame of their game's pages."""
    page = (read_whole(site / standing.game / "act.html") or b"").decode(errors="replace")
    head, _, rest = page.partition("<title>")
    around = rest.partition("</title>")[2].partition("<main")[0]
    foot = page[page.rfind("</main>") :]
    name = escape(f"{title} · {standing.title}")
    return f'{head}<title>{name}</title>{around}<main id="main"><div class="wrap">{body}</div>{foot}'


def season_of(standing: Standing) -> dict[str, Any] | None:
    """Return what is to be filled in where the player may begin the next season: its short name, and other rules.

    None also for a game on a forge on the web, where a season counts only once it is pushed.
    """
    command = standing.status["next"]
    on_the_web = forge_kind(cast(Any, standing.here.view.documents[GAME])) in WEB_FORGES
    if not command or on_the_web or not (standing.kept or standing.player in standing.status["administrators"]):
        return None
    return {"id": command.split()[2], "rulesets": {name: head_of(name)["title"] for name in names()}}


def boxes_of(seat: Seat, path: str, standing: Standing, hidden: Hidden, box: Box) -> dict[str, Html]:
    """Return the boxes of a page of a game, by the marks where they stand."""
    if path == "index.html":
        given = {"game": standing, "owed": owed(standing), "hidden": hidden, "box": box, "talk": _talk(standing, 0)}
        goes_on = seat.begins() if seat.begins() != f"{standing.game}/" else ""
        seen = {"news": seat.unseen(standing), "address_of": standing.address_of, "season": season_of(standing)}
        return {TOP: drawn("todo.html", **given, **seen, goes_on=goes_on)}
    if path == "act.html":
        return {TOP: drawn("can.html", game=standing, groups=can_do(standing), hidden=hidden)}
    board = path.removeprefix("boards/").removesuffix(".html")
    if path.startswith("boards/"):
        acts = [action for action in standing.actions.values() if action.group != "not"]
        found = [each for each in acts if (on := squares_of(seat, standing, each)) and board == on.page]
        return {TOP: Html("".join(_deed(seat, standing, each, hidden, box) for each in found))}
    rule = next((each for each in standing.rules if path == rule_path(each["uid"]).replace(".md", ".html")), None)
    if rule is not None and standing.player:
        return {TOP: drawn("rule.html", number=rule["rule"], game=standing, hidden=hidden)}
    if path in standing.undecided:
        vote = next((each for each in standing.votes if each.path == path), None)
        voting = vote_box(standing, vote, hidden, box) if vote is not None else ""
        return {VOTE: Html(voting + _talk_box(standing, path, hidden, box))}
    return {}


GROUPS = {"now": "Now", "filled": "With something to fill in", "office": "In an office", "not": "Not now"}


def can_do(standing: Standing) -> list[tuple[str, list[tuple[Action, str]]]]:
    """Return what a player can do, by how: each with where that is done."""
    found = []
    for group, title in GROUPS.items():
        listed = [each for each in standing.actions.values() if each.group == group and _is_offered(standing, each)]
        if listed and (standing.player or standing.kept):
            found.append((title, [(each, link_of(standing, each.name)[0]) for each in listed]))
    return found


def _is_offered(standing: Standing, action: Action) -> bool:
    """Say whether an action is listed: none that has a form of its own, or that would need files of rules."""
    if standing.kept:
        return action.name != VOTING and not argument_for_changes(action.declared)
    return action.name not in (VOTING, "join")


def owed(standing: Standing) -> list[dict[str, Any]]:
    """Return what waits for the player as it is drawn: what, until when, and links to where it is done."""
    found = []
    for each in standing.owed:
        ways = [
            way for way in each["ways"] if way not in standing.actions or _is_offered(standing, standing.actions[way])
        ]
        links = [link_of(standing, way) for way in ways]
        found.append({**each, "until": standing.here.moment(each["by"]) if each["by"] else "", "links": links})
    return found


def link_of(standing: Standing, way: str) -> tuple[str, str]:
    """Return where something is done, and what it is called: the page of a vote, or an action."""
    if way.endswith(".html"):
        return f"{way}#my-vote", "Vote"
    action = standing.actions.get(way)
    if action is not None and not standing.kept and argument_for_changes(action.declared):
        return "propose", "Propose a change"
    return f"do?action={way}", titled(way)


# -- boxes


def vote_box(standing: Standing, vote: OpenVote, hidden: Hidden, box: Box) -> Html:
    """Return the box in which a player votes."""
    mine = box if box.form["what"] == "vote" else Box()
    chosen = mine.form["choice"] or vote.own
    sent = [letter for letter in standing.status.get("waiting", ()) if vote.pull and letter["pull"] == vote.pull]
    return drawn("vote.html", game=standing, vote=vote, chosen=chosen, sent=sent, box=mine, hidden=hidden)


def _talk_box(standing: Standing, path: str, hidden: Hidden, box: Box) -> Html:
    """Return what is said about a proposal, also before its vote, and how its author takes it back."""
    pull, author = standing.undecided[path]
    closing = closing_action({name: each.declared for name, each in standing.actions.items()})
    own, talk = bool(closing and author) and author == standing.player, _talk(standing, pull)
    return drawn("talk.html", game=standing, pull=pull, own=own, talk=talk, box=box, hidden=hidden)


def _talk(standing: Standing, pull: int) -> list[tuple[str, Any]]:
    """Return what was said in a place, each with who said it."""
    roster = cast(Roster, standing.here.view.document("roster"))
    return [(whose(each.author, roster, "local"), each) for each in standing.talk.get(pull, ())]


KINDS = {"integer": "number", "list": "lines", "map": "long", "text": "long"}
MOST_PICKS, MOST_KNOWN = 6, 500


def fields_of(action: Action, standing: Standing, box: Box) -> list[dict[str, Any]]:
    """Return the arguments of an action as fields: how each is filled in, what may stand in it, and what does."""
    found = []
    for name, declared in action.arguments.items():
        spec = declared or {}
        values, default = known_values(spec, standing.here.view.documents)[:MOST_KNOWN], spec.get("default")
        few = "pick" if len(values) <= MOST_PICKS else "choose"
        wrong = box.outcome.why or box.outcome.title if box.outcome and box.outcome.field == name else ""
        found.append(
            {
                "name": name, "title": titled(name), "about": str(spec.get("summary") or ""),
                "kind": few if values else KINDS.get(str(spec.get("type") or "text"), "line"),
                "needed": is_needed(spec), "values": values, "wrong": wrong,
                "value": box.form[f"a.{name}"] or ("" if default is None else str(default)),
                "minimum": spec.get("minimum"), "maximum": spec.get("maximum"),
            }
        )  # fmt: skip
    return found


# -- pages of the player's own


def _deed(seat: Seat, standing: Standing, action: Action, hidden: Hidden, box: Box) -> Html:
    mine = box if box.form["do"] in ("", action.name) else Box()
    squares, cards = squares_of(seat, standing, action), cards_of(seat, standing, action)
    chosen = one_word(action) if squares or cards else ""
    fields = [each for each in fields_of(action, standing, mine) if each["name"] != chosen]
    given = {"action": action, "fields": fields, "game": standing, "hidden": hidden, "box": mine, "cards": cards}
    given |= {"squares": squares, "chosen": chosen, "value": mine.form[f"a.{chosen}"]}
    title = action.summary or titled(action.name)
    return drawn("deed.html", **given, title=title, office=action.declared.get("as"))


def _do(seat: Seat, standing: Standing, hidden: Hidden, box: Box) -> tuple[str, Html]:
    action = standing.actions.get(box.form["action"] or box.form["do"])
    if action is None:
        return "No such thing to do", drawn("none.html", what=box.form["action"])
    title = action.summary or titled(action.name)
    rule = next((each["uid"] for each in standing.rules if str(each["rule"]) == action.rule), None)
    deed = _deed(seat, standing, action, hidden, box)
    return title, drawn("do.html", title=title, rule=standing.here.rule(rule) if rule else "", deed=deed)


def _propose(seat: Seat, standing: Standing, hidden: Hidden, box: Box) -> tuple[str, Html]:
    number, kind = box.form["rule"], box.form["kind"] or ("amend" if box.form["rule"] else "enact")
    rule = next((each for each in standing.rules if str(each["rule"]) == number), None)
    kind = kind if rule is not None and kind in ("amend", "repeal") else "enact"
    titles = {"amend": f"Change rule {number}", "repeal": f"Take rule {number} away"}
    title = titles.get(kind, "Propose a new rule")
    law: dict[str, Any] = {**rule} if rule else {}
    name = draft_name(number if rule else "", box.form["from"])
    written = draft_of(seat, standing, name) if kind != "repeal" else None
    begun = written or (idea(standing, name) if kind == "enact" else None)
    shown = begun or {**{name: str(law.get(name) or "") for name in PARTS}, MORE: more_of(rule, standing.rules)}
    shown = {name: box.form[name] if name in box.form.fields else text for name, text in shown.items()}
    read = digest_of(seat.rule_text(standing.game, number)) if rule else ""
    given = {"kind": kind, "title": title, "rule": rule, "number": number, "shown": shown, "read": read}
    ideas = [recipe(name) for name in recipe_names()]
    begin = {"drafts": drafts(seat, standing, name), "begun_with": name, "ideas": ideas, "kept": written is not None}
    return title, drawn("propose.html", **given, **begin, game=standing, hidden=hidden, box=box)


def _who(_seat: Seat, standing: Standing, hidden: Hidden, box: Box) -> tuple[str, Html]:
    join = standing.actions.get(joining_action({name: each.declared for name, each in standing.actions.items()}))
    named = {"id", "name", "key", "attributes"}
    fields = [each for each in fields_of(join, standing, box) if each["name"] not in named] if join else []
    given = {"game": standing, "hidden": hidden, "box": box, "fields": fields, "joins": join is not None}
    return "Who are you?", drawn("who.html", **given)


OwnPage = Callable[[Seat, Standing, Hidden, Box], tuple[str, Html]]


def _hand(seat: Seat, standing: Standing, hidden: Hidden, box: Box) -> tuple[str, Html]:
    registers = [{**each, "words": in_words(each["value"])} for each in hand_of(seat, standing)]
    return "Your hand", drawn("hand.html", game=standing, registers=registers, hidden=hidden, box=box)


OWN: dict[str, OwnPage] = {"do": _do, "propose": _propose, "who": _who, "hand": _hand}
"""What makes the pages that only a player has, each a title and what it says, by their paths below the game."""
