"""The answers to a player's browser: pages with their forms, what is tried and sent, and how far that has come."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Mapping
from hmac import compare_digest
from pathlib import Path
from secrets import token_urlsafe
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from msgspec.structs import replace
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.outcomes import here_of, told
from folkmoot.cli.play import pages
from folkmoot.cli.play.commands import ARGUMENT, COMMANDS, MOVED, Answer, Form, Outcome, outcome_of, outlook, run
from folkmoot.cli.play.pages import POLICY, Box, Hidden, drawn, dressed, framed
from folkmoot.cli.play.seat import Seat, Standing
from folkmoot.cli.site import SiteFiles
from folkmoot.core.clone_files import read_whole
from folkmoot.core.problems import ProblemError
from folkmoot.player.answers import CameOf, came_of

LARGEST = 1_000_000  # bytes of a form
MOST_FIELDS = 500
ASKED = ("action", "rule", "kind")
"""What the address of a page of the player's own may say; nothing else in a form is filled in by a link of others."""
MOST_REMEMBERED = 500  # presses of buttons
HELD, LOOKED = 20.0, 0.25
"""Seconds that a browser waits for a change before it asks again, and between two looks for one."""
ASSETS = ("play.css", "play.js")
MAKING = ("propose", "join")
"""Forms by which a commit is sent."""
_HEX = re.compile(r"[0-9a-f]{40}")
FORM = "application/x-www-form-urlencoded"
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


def common_routes(builds: Builds) -> list[BaseRoute]:
    """Return the routes by which open pages learn that the site was built again."""

    async def changes(request: Request) -> Response:
        seen = request.query_params.get("seen", "")
        for _ in range(int(HELD / LOOKED)):
            builds.asked = time.monotonic()
            if str(builds.number) != seen:
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
        self._done: dict[int, str] = {}
        """Where each button that was pressed has led, by the form's own number and all that stood in it."""

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
        if standing is None:
            return HTMLResponse(page.replace("</body>", f"{drawn('away.html')}</body>"))
        return self._html(self._page(standing, request.url.path, Box(), page))

    def own(self, request: Request) -> Response:
        """Answer with a page that only the player has."""
        standing = self.seat.standing(request.path_params["game"])
        if standing is None:
            return PlainTextResponse("There is no such page.", 404)
        address = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return self._html(self._page(standing, address, Box()))

    def _page(self, standing: Standing, address: str, box: Box, built: str = "") -> str:
        """Return the page at an address as the player sees it: one of their own, or a `built` one with boxes."""
        place = urlsplit(address.removeprefix(f"/{standing.game}/"))
        hidden = self._hidden(standing, address)
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

    def _hidden(self, standing: Standing, address: str) -> Hidden:
        once = token_urlsafe(12)
        return Hidden(token=self.token, once=once, game=standing.game, back=address, note=self.seat.note)

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
            return self._too_old(form)
        if what == "look":
            self.seat.look()
            self.again()
            return RedirectResponse(_back(form), 303)
        if what == "who":
            return self._sit_down(form)
        trying = what == "try"
        what = form["what"] if trying else what
        standing = self.seat.standing(form["game"])
        if what not in COMMANDS or standing is None:
            return PlainTextResponse("There is no such form.", 404)
        with self.seat.acting:
            if not trying and form["once"] and form.press in self._done:
                return RedirectResponse(f"{self._done[form.press]}&twice=1", 303)
            return self._done_or_tried(request, what, standing, form, trying=trying)

    def _done_or_tried(self, request: Request, what: str, standing: Standing, form: Form, *, trying: bool) -> Response:
        if trying and what == "propose" and not _for_program(request):
            return self._tried(request, standing, form, outlook(self.seat, standing, form))
        answer = run(what, self.seat, standing, form, dry_run=trying)
        sent = answer.sent and not trying
        if sent:
            self._done[form.press] = self._sent_to(what, standing, answer)
            while len(self._done) > MOST_REMEMBERED:
                self._done.pop(next(iter(self._done)))
            self.again()
        if _for_program(request):
            return JSONResponse(_record(answer), 200 if answer.code == Exit.OK else 422)
        if sent:
            return RedirectResponse(self._done[form.press], 303)
        outcome = outcome_of(answer, [name.removeprefix(ARGUMENT) for name in form.fields if name.startswith(ARGUMENT)])
        return self._tried(request, standing, form, outcome)

    def _tried(self, request: Request, standing: Standing, form: Form, outcome: Outcome) -> Response:
        """Answer with what comes of a form: a piece of its page, or all of that, filled in as it was."""
        status = 409 if outcome.code == MOVED else 422 if outcome.tone == "bad" else 200
        if "part=1" in request.headers.get("Accept", ""):
            return HTMLResponse(drawn("outcome.html", it=outcome), status)
        return self._again(standing, Box(form=form, outcome=outcome), status)

    def _sit_down(self, form: Form) -> Response:
        """Let the clone be that of a player of the game, by the name and address that git has of it."""
        with self.seat.acting:
            try:
                self.seat.sit_down(form["game"], form["player"])
            except ProblemError as error:
                return PlainTextResponse(error.problems[0].message, 422)
        return RedirectResponse(f"/{quote(form['game'])}/index.html", 303)

    def _sent_to(self, what: str, standing: Standing, answer: Answer) -> str:
        """Return the address of the page of what was sent."""
        record = answer.record
        if "entry" in record:
            about: dict[str, object] = {"entry": record["entry"]["seq"]}
        else:
            sent = [record.get("head") if what in MAKING else "", record.get("letter"), *(record.get("letters") or ())]
            about = {"id": ".".join(filter(None, sent)), "pull": record.get("pull") or 0}
        return f"/{quote(standing.game)}/sent?{urlencode(about)}"

    def _again(self, standing: Standing, box: Box, status: int) -> Response:
        """Return the page from which a form came, filled in as it was, with what is to be said of it."""
        return self._html(self._page(standing, _back(box.form), box), status)

    def _too_old(self, form: Form) -> Response:
        """Return the page of a form that is of an earlier start of the server, filled in, with a new token."""
        standing = self.seat.standing(form["game"])
        if standing is None:
            return PlainTextResponse("Nothing was sent: this page is too old. Load it anew.", 410)
        return self._again(standing, Box(form=form, outcome=TOO_OLD), 410)

    def _html(self, page: str, status: int = 200) -> Response:
        return HTMLResponse(page, status, {"Content-Security-Policy": POLICY})

    # -- what became of it

    def sent(self, request: Request) -> Response:
        """Show how far something has come that was sent."""
        given = request.query_params
        self.seat.look()
        with self.seat.lock:
            standing = self.seat.standing(request.path_params["game"])
            if standing is None:
                return PlainTextResponse("There is no such page.", 404)
            came = self._came(standing, Form({name: [value] for name, value in given.items()}))
        if came["done"]:
            self.again()
        body = drawn("sent.html", came=came, twice="twice" in given)
        if "part=1" in request.headers.get("Accept", ""):
            return HTMLResponse(body)
        address = f"{request.url.path}?{request.url.query}"
        page = framed(self.site, standing, "What you sent", drawn("follow.html", body=body, address=address))
        if not came["done"]:
            page = page.replace("</head>", '<noscript><meta http-equiv="refresh" content="3"></noscript></head>', 1)
        hidden = self._hidden(standing, f"/{standing.game}/index.html")
        return self._html(dressed(page, standing, hidden, {}))

    def _came(self, standing: Standing, given: Form) -> dict[str, object]:
        """Return what came of something that was sent, as it is told."""
        view = None if standing.kept else self.seat.view
        names = [name for name in given["id"].split(".") if view is not None and _HEX.fullmatch(name)]
        found: list[CameOf] = []
        for name in names:
            assert view is not None
            of_it = came_of(view, standing.game, name, given.number("pull"))
            if not of_it:
                return {"done": False, "refused": False, "lines": []}
            found += of_it
        if given.number("entry"):
            found = [{"state": "recorded", "seq": given.number("entry")}]
        refused = any(each["state"] in ("void", "refused", "ignored") for each in found)
        lines = list[str]()
        with self.seat.session(standing.game) as session:
            for each in found:
                if each["state"] != "recorded":
                    lines.append(": ".join(filter(None, (str(each.get("what") or ""), str(each.get("why") or "")))))
                    continue
                entry = session.record.entry(each["seq"])
                refused = refused or entry.get("code", "HELD") != "HELD"
                first, *rest = told(here_of(session, [entry]), entry)
                lines += [first.partition("  ")[2], *map(str.strip, rest)]
        return {"done": bool(found), "refused": refused, "lines": lines}


def _for_program(request: Request) -> bool:
    return str(request.headers.get("Accept", "")).startswith("application/json")


def _back(form: Form) -> str:
    """Return the address of the page from which a form came: one of this server."""
    return "/" + form["back"].lstrip("/\\")


def _record(answer: Answer) -> dict[str, object]:
    problems = [problem.as_record() for problem in answer.problems]
    return {**answer.record, **({"problems": problems} if problems else {})}
