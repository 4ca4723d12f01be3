"""What can be found out on either kind of forge: each check asks for one setting and says what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from folkmoot.core.problems import fail
from folkmoot.core.records import Shown
from folkmoot.files.issue_forms import LABEL
from folkmoot.forges.git_transport import RENEW
from folkmoot.forges.web.client import MOST_PAGES, Client, Query, RefusedError, Reply
from folkmoot.forges.web.credentials import how_to_give
from folkmoot.game.secret_store import SEALING
from folkmoot.ops.doctor.findings import Findings, error, fine, listed, warning
from folkmoot.ops.doctor.place import Place

ABSENT = (404, 410)
HIDDEN = (401, 403)
FAILING = 500
"""From this number on an answer says that the forge fails, and nothing of what was asked."""


class Told(Struct, frozen=True):
    """What the forge said: the number of its answer, its data (None unless it answered), its time (Unix seconds)."""

    status: int
    data: Any = None
    at: int = 0

    @property
    def known(self) -> bool:
        """Say whether the forge answered what was asked."""
        return self.status in (200, 201)


class Unseen(Exception):
    """Something could not be looked at; where that is because of the token or the version, it is noted already."""


class Asking:
    """Asks about one repository; `unseen` names what the token may not see, `unasked` what no request is there for."""

    def __init__(self, client: Client, repository: str, kind: str = "github") -> None:
        self.client = client
        self.kind = kind
        self.repository = repository
        self.place = f"repos/{repository}"
        self.unseen: list[str] = []
        self.unasked: list[str] = []
        self._told: dict[str, Told] = {}

    def ask(self, path: str, query: Query | None = None) -> Told:
        """Ask for something; raises E-FORGE where the forge fails, not where it refuses."""
        key = f"{path} {sorted((query or {}).items())}"
        if key not in self._told:
            self._told[key] = self._ask(path, query)
        return self._told[key]

    def _ask(self, path: str, query: Query | None) -> Told:
        try:
            reply = self.client.get(path, query)
        except RefusedError as error:
            return _refused(error)
        return Told(200, reply.data, reply.at)

    def of(self, path: str, what: str, query: Query | None = None) -> Any:
        """Return something of the repository; raises Unseen where it is not there, or may not be seen."""
        found = self.find(path, what, query)
        if found is None:
            raise Unseen
        return found

    def find(self, path: str, what: str, query: Query | None = None) -> Any:
        """Return something of the repository, None where it is not there; raises Unseen where it may not be seen.

        A forge says "not found" of what a token may not see, so that absence is believed only of an administrator.
        """
        told = self.ask(f"{self.place}/{path}", query)
        if self._is_too_new(path, told):
            self.unasked.append(what)
            raise Unseen
        if told.status in HIDDEN or (told.status in ABSENT and not self.administers):
            self.unseen.append(what)
            raise Unseen
        if not told.known and told.status not in ABSENT:
            raise Unseen
        return told.data if told.known else None

    def all(self, path: str, what: str, key: str = "", query: Query | None = None) -> list[Any]:
        """Return all items of a list of the repository; raises Unseen where it may not be seen."""
        name = f"all {path} {sorted((query or {}).items())}"
        if name not in self._told:
            self._told[name] = self._all(path, key, query)
        told = self._told[name]
        if told.known:
            return list(told.data)
        (self.unasked if self._is_too_new(path, told) else self.unseen).append(what)
        raise Unseen

    def _is_too_new(self, path: str, told: Told) -> bool:
        """Say whether the server is older than a request: it knows the repository, and nothing of its jobs."""
        return self.kind == "gitea" and path.startswith("actions/") and told.status in ABSENT and self.administers

    def _all(self, path: str, key: str, query: Query | None) -> Told:
        found: list[Any] = []
        try:
            for page in self._pages(path, query):
                items = page.data[key] if key else page.data
                if not isinstance(items, list):
                    raise fail("E-FORGE", "the forge answers with something else than a list", None, "run it again")
                if not items:
                    break
                found += items
        except RefusedError as error:
            return _refused(error)
        return Told(200, found)

    def _pages(self, path: str, query: Query | None) -> Iterator[Reply]:
        """Yield the pages of a list; Gitea's are asked for by their numbers, until one is empty."""
        if self.kind != "gitea":
            yield from self.client.pages(f"{self.place}/{path}", query)
            return
        for number in range(1, MOST_PAGES):
            yield self.client.get(f"{self.place}/{path}", {**(query or {}), "limit": 50, "page": number})

    @property
    def repo(self) -> Shown:
        """Return what the forge says of the repository, nothing where it does not know it."""
        return dict(self.ask(self.place).data or {})

    @property
    def administers(self) -> bool:
        """Say whether the token is an administrator's of the repository."""
        return bool((self.repo.get("permissions") or {}).get("admin"))


def _refused(error: RefusedError) -> Told:
    """Return a refusal as what was said; raises it where the forge says that it fails itself."""
    if error.status >= FAILING:
        raise error
    return Told(error.status)


BRANCH = "main"
TOKEN = "FOLKMOOT_TOKEN"  # noqa: S105 (the name of one)
SKEW = 60
Check = Callable[[Asking, Place, int], Findings]


def keeper_is_missing(games: list[str]) -> Findings:
    """Say that the keys of a keeper are not where the job of the referee finds them."""
    said = f"{listed(games)} seals to a key of its keeper, and {SEALING} is not there: nothing sealed can be judged"
    yield error("sealing", said, f"store the keeper's keys as {SEALING}; `moot key --keeper --print` makes another")


def clock(asking: Asking, place: Place, now: int) -> Findings:
    """Compare this machine's clock with the forge's."""
    told = asking.ask("version" if place.kind == "gitea" else "rate_limit")  # what even a stranger may ask
    at = told.at or asking.ask(asking.place).at
    if not at:
        return
    if abs(now - at) > SKEW:
        said = f"this machine's clock is off the forge's by {abs(now - at)} seconds"
        yield error("clock", said, "let the machine set its clock by the network")
    else:
        yield fine("clock", "this machine's clock agrees with the forge's")


def access(asking: Asking, place: Place, now: int) -> Findings:
    """Look whether the forge knows the repository, and who we are to it."""
    told = asking.ask(asking.place)
    if told.status == 401:
        yield error("token", "the forge does not accept the token", RENEW)
        return
    if not told.known:
        said = f"the forge does not know {asking.repository}, or does not show it to this token"
        yield error(
            "access", said, "git remote -v shows where the remote leads; the token must be that of an administrator"
        )
        return
    repo = asking.repo
    if repo.get("archived") or repo.get("disabled"):
        why = "archived" if repo.get("archived") else "disabled"
        yield error(
            "access", f"the repository is {why}: nothing can be written", f"unarchive it: {place.home}/settings"
        )
    elif not (repo.get("permissions") or {}).get("push"):
        yield warning(
            "access",
            "the token may not write to the repository",
            f"as an administrator, {how_to_give(place.kind, place.host)}",
        )
    else:
        yield fine("access", f"the repository {asking.repository} can be written to")


def default_branch(asking: Asking, place: Place, now: int) -> Findings:
    """Look whether the game's branch is the default branch."""
    theirs = asking.repo.get("default_branch")
    if place.branch and theirs != place.branch:
        said = f"the default branch is {theirs}, and the game is on {place.branch}"
        yield error("branch", said, f"make {place.branch} the default branch: {place.home}/settings")
    elif theirs != BRANCH:
        said = f"the default branch is {theirs}, and pushes start the workflows on {BRANCH} only"
        yield warning("branch", said, f"rename it to {BRANCH}: {place.home}/branches")
    else:
        yield fine("branch", f"the default branch is {theirs}")


def issues(asking: Asking, place: Place, now: int) -> Findings:
    """Look whether issues are switched on."""
    if asking.repo.get("has_issues"):
        yield fine("issues", "issues are switched on")
    else:
        yield error("issues", "issues are switched off: there is no thread and there are no forms", "moot init --apply")


def label(asking: Asking, place: Place, now: int) -> Findings:
    """Look whether the label of the game exists."""
    if any(each["name"] == LABEL for each in asking.all("labels", "labels")):
        yield fine("label", f"the label `{LABEL}` exists")
    else:
        yield error("label", f"there is no label `{LABEL}`", "moot init --apply")


def thread(asking: Asking, place: Place, now: int) -> Findings:
    """Look whether the game has its thread, and whether it can be talked in."""
    oldest = _thread_of(asking)
    if not asking.repo.get("has_issues"):
        return
    if oldest is None:
        yield warning("thread", "no issue is the game's thread yet", "moot init --apply")
        return
    if oldest.get("locked") or oldest["state"] != "open":
        why = "locked" if oldest.get("locked") else "closed"
        yield error(
            "thread",
            f"the game's thread, #{oldest['number']}, is {why}",
            f"unlock it, or open it again: {place.home}/issues/{oldest['number']}",
        )
    else:
        yield fine("thread", f"the game is talked about in #{oldest['number']}")


def thread_number(asking: Asking) -> int | None:
    """Return the number of the issue that is the game's thread, None where there is none yet."""
    found = _thread_of(asking)
    return int(found["number"]) if found is not None else None


def _thread_of(asking: Asking) -> Mapping[str, Any] | None:
    """Return the issue that is the game's thread, None where there is none yet."""
    found = asking.all("issues", "issues", query={"labels": LABEL, "state": "all"})
    threads = [issue for issue in found if not is_other(issue)]
    return min(threads, key=lambda issue: int(issue["number"]), default=None)


def is_other(issue: Mapping[str, Any]) -> bool:
    """Say whether an issue is no thread: a pull request, made by a form, or by a robot."""
    robot = (issue.get("user") or {}).get("type") == "Bot"
    return robot or issue.get("pull_request") is not None or str(issue.get("body") or "").startswith("### ")


def locked(asking: Asking, place: Place, now: int) -> Findings:
    """Look whether pull requests are locked, so that nobody can vote on them by comment."""
    found = asking.all("pulls", "pull requests", query={"state": "open"})
    numbers = [f"#{pull['number']}" for pull in found if pull.get("locked") or pull.get("is_locked")]
    if numbers:
        yield warning(
            "locked",
            f"players cannot comment on {listed(numbers)}: locked",
            f"unlock each conversation: {place.home}/pulls",
        )
    else:
        yield fine("locked", "no pull request is locked")
