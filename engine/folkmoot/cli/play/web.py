"""The answers to a player's browser: pages with their forms, what is tried and sent, and how far that has come."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from hmac import compare_digest
from pathlib import Path
from secrets import token_urlsafe
from threading import Lock
from urllib.parse import parse_qs, quote, urlsplit

from msgspec.structs import replace
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.outcomes import here_of, told
from folkmoot.cli.play import pages
from folkmoot.cli.play.commands import COMMANDS, MOVED, Answer, Outcome, outcome_of, outlook, run
from folkmoot.cli.play.drafts import keep
from folkmoot.cli.play.forms import Form
from folkmoot.cli.play.outbox import Outbox, Parcel, is_unreached
from folkmoot.cli.play.pages import POLICY, Box, Hidden, drawn, dressed, framed, with_script
from folkmoot.cli.play.seat import Seat, Standing
from folkmoot.cli.site import SiteFiles
from folkmoot.core.clone_files import read_whole
from folkmoot.core.problems import Problem, ProblemError
from folkmoot.player.answers import AnswerShown, came_of
from folkmoot.wording.markup import escape

LARGEST = 1_000_000  # bytes of a form
MOST_FIELDS = 500
ASKED = ("action", "rule", "kind", "from")
"""What the address of a page of the player's own may say; nothing else in a form is filled in by a link of others."""
MOST_REMEMBERED = 500  # presses of buttons
HELD, LOOKED = 20.0, 0.25
"""Seconds that a browser waits for a change before it asks again, and between two looks for one."""
ANSWERED = 0.4
"""Seconds that a browser waits for something to be sent before it is told that it is on its way."""
ASSETS = ("play.css", "play.js")
MAKING = ("propose", "join")
"""Forms by which a commit is sent."""
FORESEEN = ("vote", "act", "propose")
"""Forms of which something else may come once others have acted."""
FORM = "application/x-www-form-urlencoded"
_COMING: dict[str, object] = {"done": False, "refused": False, "said": False, "lines": []}
_GONE = {**_COMING, "done": True}
GONE = Problem("E-NO-GAME", "this game is not here any more")
TOO_OLD = Outcome(
    tone="bad",
    title="Not sent: this page is too old.",
    why="moot serve was started again since. What you have written is here; press once more.",
)


class Builds:
    """How often a site was built, and which entry of each game its pages show."""

    def __init__(self) -> None:
        self.number = 1
        self.entries: Mapping[str, int] = {}
        self.asked = 0.0
        """When a browser last asked whether anything has changed."""
        self.ending = False
        """Whether the server ends, so that no browser is to wait for a change."""


def common_routes(builds: Builds) -> list[BaseRoute]:
    """Return the routes by which open pages learn that the site was built again."""

    async def changes(request: Request) -> Response:
        seen = request.query_params.get("seen", "")
        for _ in range(int(HELD / LOOKED)):
            builds.asked = time.monotonic()
            if builds.ending or str(builds.number) != seen:
                break
            await asyncio.sleep(LOOKED)
        return JSONResponse({"build": builds.number, "entries": builds.entries})

    def asset(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in ASSETS:
            return PlainTextResponse("There is no such page.", 404)
        return FileResponse(Path(__file__).with_name(name))

    return [Route("/-/changes", changes), Route("/-/{name}", asset, methods=["GET"])]


class Play:
    """What answers a player at their seat; `again` is called when something was sent or is to be looked for."""

    def __init__(self, seat: Seat, site: Path, again: Callable[[], object]) -> None:
        self.seat, self.site, self.again = seat, site, again
        self.token = token_urlsafe(16)
        self.outbox = Outbox(seat.own_file("unsent.json"), self._send)
        self._pressing = Lock()
        self._done: dict[int, str] = {}
        """What each button that was pressed has put into the outbox, by the form's own number and all that it said."""

        self.own_acts: dict[str, Callable[[Standing, Form], object]] = {
            "look": self._look,
            "later": lambda _standing, _form: self.outbox.again(),
            "drop": lambda _standing, form: self.outbox.drop(form["id"]),
            "seen": lambda standing, form: seat.saw(standing.game, form.number("seen")),
            "draft": lambda standing, form: keep(seat, standing, form),
            "who": lambda standing, form: seat.sit_down(standing.game, form["player"]),
        }
        """What is done at once, and sends nothing new; then the page is shown again."""

    def routes(self) -> list[BaseRoute]:
        """Return what is answered beside the files of the site."""
        own = [Route(f"/{{game}}/{name}", self.own) for name in pages.OWN]
        return [Route("/-/{what}", self.post, methods=["POST"]), Route("/{game}/sent", self.sent), *own]

    def dress(self, request: Request, path: str, page: str) -> Response:
        """Answer with a page of the site as the player sees it."""
        game, _, below = path.partition("/")
        try:
            standing = self.seat.standing(game) if below else None
        except ProblemError:  # the page says what is damaged
            standing = None
        if standing is None:  # whoever reads it is no player; it is loaded again once the site is built again
            return HTMLResponse(with_script(page, _root(request)))
        return self._html(self._page(request, standing, path, Box(), page))

    def own(self, request: Request) -> Response:
        """Answer with a page that only the player has."""
        standing = self.seat.standing(request.path_params["game"])
        if standing is None:
            return PlainTextResponse("There is no such page.", 404)
        return self._html(self._page(request, standing, _address(request), Box()))

    def _page(self, request: Request, standing: Standing, address: str, box: Box, built: str = "") -> str:
        """Return the page at an address as the player sees it: one of their own, or a `built` one with boxes."""
        place = urlsplit(address.lstrip("/").removeprefix(f"{standing.game}/"))
        hidden = self._hidden(request, standing, address)
        if place.path in pages.OWN:
            asked = parse_qs(place.query)
            given = Form({**{name: asked[name] for name in ASKED if name in asked}, **box.form.fields})
            with self.seat.lock:
                title, body = pages.OWN[place.path](self.seat, standing, hidden, replace(box, form=given))
            return dressed(framed(self.site, standing, title, body), standing, hidden, {})
        if not built:
            file = SiteFiles(self.site).find(f"{standing.game}/{place.path}")
            built = (read_whole(file) or b"").decode(errors="replace") if file is not None and file.is_file() else ""
        with self.seat.lock:
            boxes = pages.boxes_of(self.seat, place.path, standing, hidden, box)
        return dressed(built, standing, hidden, boxes)

    def _hidden(self, request: Request, standing: Standing, address: str) -> Hidden:
        return Hidden(
            token=self.token, once=token_urlsafe(12), game=standing.game, back=address, seen=standing.entry,
            root=_root(request), note=self.seat.note, unsent=[*self.outbox.kept.values()],
        )  # fmt: skip

    # -- what is sent

    async def post(self, request: Request) -> Response:
        """Do what a form asks for."""
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM:
            return PlainTextResponse("Only forms are taken.", 415)
        data = bytearray()
        async for part in request.stream():
            data += part
            if len(data) > LARGEST:
                return PlainTextResponse("That is too much for one form.", 413)
        try:
            fields = parse_qs(data.decode("ascii"), keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict")
        except ValueError:
            return PlainTextResponse("This form cannot be read.", 400)
        return await run_in_threadpool(self._post, request, Form(fields))

    def _post(self, request: Request, form: Form) -> Response:
        what = request.path_params["what"]
        if not compare_digest(form["token"].encode(), self.token.encode()):
            old = self.seat.standing(form["game"])
            if old is None:
                return PlainTextResponse("Nothing was sent: this page is too old. Load it anew.", 410)
            # the page of a form that is of an earlier start of the server, filled in, with a new token
            return self._again(request, old, Box(form=form, outcome=TOO_OLD), 410)
        trying = what == "try"
        what = form["what"] if trying else what
        standing = self.seat.standing(form["game"])
        known: object = what in COMMANDS or (what in self.own_acts and not trying)
        if standing is not None and what == "season":
            known = pages.season_of(standing)
        if standing is None or not known:
            return PlainTextResponse("There is no such form.", 404)
        if what in self.own_acts:
            try:
                self.own_acts[what](standing, form)
            except ProblemError as error:
                return PlainTextResponse(error.problems[0].message, 422)
            if _for_part(request):
                return HTMLResponse("Kept on this machine.")
            return self._redirect(request, f"/{quote(standing.game)}/index.html" if what == "who" else form.back)
        if not trying:
            return self._pressed(request, what, standing, form)
        if _for_program(request):
            return _recorded(run(what, self.seat, standing, form, dry_run=True))
        return self._tried(request, standing, form, self._foreseen(what, standing, form))

    def _look(self, _standing: Standing, _form: Form) -> None:
        self.seat.look()
        self.again()

    def _foreseen(self, what: str, standing: Standing, form: Form) -> Outcome:
        if what == "propose":
            return outlook(self.seat, standing, form)
        return outcome_of(run(what, self.seat, standing, form, dry_run=True))

    def _pressed(self, request: Request, what: str, standing: Standing, form: Form) -> Response:
        """Send what a form says, as far as that was not pressed before; what takes long goes on by itself."""
        with self._pressing:
            if form["once"] and form.press in self._done:
                return self._redirect(request, self._done[form.press])
            moved = self._moved_on(what, standing, form)
            if moved is not None:
                return self._tried(request, standing, form, moved)
            parcel, coming = self.outbox.put(what, form)
            address = form.back if what == "season" else f"/{quote(standing.game)}/sent?parcel={parcel.id}"
            self._done[form.press] = address if what == "season" else f"{address}&twice=1"
            while len(self._done) > MOST_REMEMBERED:
                self._done.pop(next(iter(self._done)))
        program = _for_program(request)
        answer = None
        with suppress(TimeoutError):
            answer = coming.result(None if program or standing.kept or what == "season" else ANSWERED)
        if answer is None or answer.sent or is_unreached(answer):
            return _recorded(answer) if program and answer is not None else self._redirect(request, address)
        self.outbox.drop(parcel.id)
        self._done.pop(form.press, None)
        if program:
            return _recorded(answer)
        return self._tried(request, standing, form, outcome_of(answer))

    def _send(self, parcel: Parcel) -> Answer:
        standing = self.seat.standing(parcel.game)
        if standing is None:
            return Answer(code=Exit.REFUSED, record={}, problems=[GONE])
        with self.seat.acting:
            answer = run(parcel.what, self.seat, standing, parcel.form, dry_run=False)
        if answer.sent:
            self.again()
        return answer

    def _moved_on(self, what: str, standing: Standing, form: Form) -> Outcome | None:
        """Return what others did since a page was made, where something else comes of its form than was said there."""
        since = self.seat.news(standing, after=form.number("seen")) if what in FORESEEN and form["seen"] else []
        now = self._foreseen(what, standing, form) if since else None
        if now is None or now.tone == "bad" or now.digest == form["foreseen"]:
            return None
        return Outcome(
            tone="wait", title="Not sent yet: something has happened since you opened this page.", code=MOVED,
            lines=[each["words"] for each in since], endings=[(now.title, now.lines or [now.why])], foreseen=now.digest,
            hint="look at what comes of it now, and send it once more, or leave it",
        )  # fmt: skip

    def _tried(self, request: Request, standing: Standing, form: Form, outcome: Outcome) -> Response:
        """Answer with what comes of a form: a piece of its page, or all of that, filled in as it was."""
        status = 409 if outcome.code == MOVED else 422 if outcome.tone == "bad" else 200
        if _for_part(request):
            return HTMLResponse(drawn("outcome.html", it=outcome), status)
        return self._again(request, standing, Box(form=form, outcome=outcome), status)

    def _redirect(self, request: Request, address: str) -> Response:
        return RedirectResponse(_root(request) + address, 303)

    def _again(self, request: Request, standing: Standing, box: Box, status: int) -> Response:
        """Return the page from which a form came, filled in as it was, with what is to be said of it.

        It is answered at the address of the form, so that it says below which its links lie. Where the form is not on
        its page any more, what was written is shown at its top.
        """
        page = self._page(request, standing, box.form.back, box)
        base = f'<head><base href="{escape(_root(request) + box.form.back)}">'
        if 'name="foreseen"' not in page:
            fields = {name: [*values] for name, values in box.form.fields.items()}
            parcel = Parcel(id="", game=standing.game, what=box.form["what"], fields=fields)
            said = f'<section class="stack-s">{drawn("waits.html", parcel=parcel, outcome=box.outcome)}</section><hr>'
            head, main, rest = page.partition("<main")
            page = head + main + rest.replace('<div class="wrap">', f'<div class="wrap">{said}', 1)
        return self._html(page.replace("<head>", base, 1), status)

    def _html(self, page: str, status: int = 200) -> Response:
        return HTMLResponse(page, status, {"Content-Security-Policy": POLICY})

    # -- what became of it

    def sent(self, request: Request) -> Response:
        """Show how far something has come that was sent, or is to be."""
        name = request.query_params.get("parcel", "")
        if name not in self.outbox.kept:  # while that is on its way, looking would wait until it has arrived
            self.seat.look()
        standing = self.seat.standing(request.path_params["game"])
        if standing is None:
            return PlainTextResponse("There is no such page.", 404)
        hidden = self._hidden(request, standing, f"/{standing.game}/index.html")
        waits, (parcel, answer) = self.outbox.kept.get(name), self.outbox.ended.get(name, (None, None))
        if waits is not None:
            outcome = Outcome(tone="bad", title=waits.why) if waits.refused else None
            if outcome is not None and answer is not None:
                outcome = outcome_of(answer)
            if outcome is not None and "anew" in request.query_params:
                return self._again(request, standing, Box(form=waits.form, outcome=outcome), 200)
            body, done = drawn("waits.html", parcel=waits, outcome=outcome, hidden=hidden), outcome is not None
        else:
            with self.seat.lock:
                came = self._came(standing, parcel, answer)
            body = drawn("sent.html", came=came, twice=request.query_params.get("twice"), gone=came is _GONE)
            done = bool(came["done"])
            if done:
                self.again()
        if _for_part(request):
            return HTMLResponse(body)
        follow = drawn("follow.html", body=body, address=_root(request) + _address(request))
        page = framed(self.site, standing, "What you sent", follow)
        if not done:
            page = page.replace("</head>", '<noscript><meta http-equiv="refresh" content="3"></noscript></head>', 1)
        return self._html(dressed(page, standing, hidden, {}))

    def _came(self, standing: Standing, parcel: Parcel | None, answer: Answer | None) -> dict[str, object]:
        """Return what came of something that was sent, as it is told."""
        if parcel is None or answer is None or not answer.sent:
            return _GONE
        record, found = answer.record, list[AnswerShown]()
        made = record.get("head") if parcel.what in MAKING else None
        view = None if standing.kept else self.seat.view
        for name in filter(None, (made, record.get("letter"), *(record.get("letters") or ()))):
            of_it = came_of(view, standing.game, name, int(record.get("pull") or 0)) if view is not None else []
            if not of_it:
                return _COMING
            found += of_it
        if "entry" in record:
            found = [{"state": "recorded", "seq": record["entry"]["seq"]}]
        refused = any(each["state"] in ("void", "refused", "ignored") for each in found)
        judged, lines = [each for each in found if each["state"] != "said"], list[str]()
        with self.seat.session(standing.game) as session:
            for each in judged:
                if each["state"] != "recorded":
                    lines.append(": ".join(filter(None, (str(each.get("what") or ""), str(each.get("why") or "")))))
                    continue
                entry = session.record.entry(each["seq"])
                refused = refused or entry.get("code", "HELD") != "HELD"
                first, *rest = told(here_of(session, [entry]), entry)
                lines += [first.partition("  ")[2], *map(str.strip, rest)]
        return {"done": bool(found), "refused": refused, "said": bool(found) and not judged, "lines": lines}


def _for_program(request: Request) -> bool:
    return str(request.headers.get("Accept", "")).startswith("application/json")


def _for_part(request: Request) -> bool:
    """Say whether a script asks for the piece of a page that it fills in."""
    return "part=1" in request.headers.get("Accept", "")


def _root(request: Request) -> str:
    """Return below which path the pages lie that only who knows the secret can read."""
    return str(request.scope["root_path"])


def _address(request: Request) -> str:
    return request.url.path.removeprefix(_root(request)) + (f"?{request.url.query}" if request.url.query else "")


def _recorded(answer: Answer) -> Response:
    """Answer a program with what the command prints for such."""
    problems = [problem.as_record() for problem in answer.problems]
    record = {**answer.record, **({"problems": problems} if problems else {})}
    return JSONResponse(record, 200 if answer.code == Exit.OK else 202 if is_unreached(answer) else 422)
