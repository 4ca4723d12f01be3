"""A forge whose settings are examined: what it is asked, and what is looked at on every kind of forge.

Each check reads what it needs and judges it by a table of flaws: of each whether it is there, how grave it is, the
sentence that tells it, how it is mended, and by which step of the API.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from folkmoot.core.problems import fail
from folkmoot.core.records import Shown
from folkmoot.files.issue_forms import LABEL
from folkmoot.forges.git_transport import RENEW
from folkmoot.forges.web.client import MOST_PAGES, Client, Query, RefusedError
from folkmoot.forges.web.credentials import how_to_give
from folkmoot.game.secret_store import CHANCE, SEALING
from folkmoot.ops.doctor.findings import APPLY, Finding, Findings, Step, judged, listed
from folkmoot.ops.doctor.place import Place, administrators, handle

ABSENT = (404, 410)
FAILING = 500
"""From this number on an answer says that the forge fails, and nothing of what was asked."""
BRANCH = "main"
TOKEN = "FOLKMOOT_TOKEN"  # noqa: S105 (the name of one)
ENVIRONMENT = "referee"
"""Where GitHub keeps the secrets of the referee's job."""
SECRETS = {"github": "settings/environments", "gitea": "settings/actions/secrets"}
ACCESS = {"github": "settings/access", "gitea": "settings/collaboration"}


class Told(Struct, frozen=True):
    """What the forge said: the number of its answer, and its data (None unless it answered)."""

    status: int
    data: Any = None

    @property
    def known(self) -> bool:
        """Say whether the forge answered what was asked."""
        return self.status == 200


class Unseen(Exception):
    """Something could not be looked at; where that is because of the token, it is noted already."""


class Asking:
    """Asks about the repository of a place; `unseen` is what the token may not see, `now` this machine's time."""

    def __init__(self, client: Client, place: Place, now: int = 0) -> None:
        self.client = client
        self.place = place
        self.now = now
        self.at = f"repos/{place.repository}"
        self.unseen: list[str] = []
        self._told: dict[str, Told] = {}

    def ask(self, path: str, query: Query | None = None, every: str | None = None) -> Told:
        """Ask for something, or `every` item below that key. Raises E-FORGE if the forge fails, not if it refuses."""
        name = f"{path} {sorted((query or {}).items())} {every}"
        if name not in self._told:
            try:
                data = self.client.get(path, query).data if every is None else list(self._items(path, query, every))
                self._told[name] = Told(200, data)
            except RefusedError as refused:
                if refused.status >= FAILING:
                    raise
                self._told[name] = Told(refused.status)
        return self._told[name]

    def _items(self, path: str, query: Query | None, key: str) -> Iterator[Any]:
        """Yield the items of a list; the pages of Gitea's are asked for by their numbers, until one is empty."""
        numbered = ({**(query or {}), "limit": 50, "page": number} for number in range(1, MOST_PAGES))
        by_number = (self.client.get(path, each) for each in numbered)
        for page in by_number if self.place.kind == "gitea" else self.client.pages(path, query):
            items = page.data[key] if key else page.data
            if not isinstance(items, list):
                raise fail("E-FORGE", "the forge answers with something else than a list", None, "run it again")
            if not items:
                return
            yield from items

    def find(self, path: str, what: str, query: Query | None = None, every: str | None = None) -> Any:
        """Return something of the repository, None where it is not there; raises Unseen where it may not be seen.

        A forge says "not found" of what a token may not see, so that absence is believed only of an administrator; and
        where it is older than a request for its jobs, it has none of them.
        """
        told = self.ask(f"{self.at}/{path}", query, every)
        if told.known:
            return told.data
        if told.status not in ABSENT or not self.administers:
            self.unseen.append(what)
            raise Unseen
        if self.place.kind == "gitea" and path.startswith("actions/"):
            raise Unseen
        return None

    def of(self, path: str, what: str, query: Query | None = None, every: str | None = None) -> Any:
        """Return something of the repository; raises Unseen where it is not there, or may not be seen."""
        found = self.find(path, what, query, every)
        if found is None:
            raise Unseen
        return found

    @property
    def repo(self) -> Shown:
        """Return what the forge says of the repository, nothing where it does not know it."""
        return dict(self.ask(self.at).data or {})

    @property
    def branch(self) -> str:
        """Return the name of the default branch."""
        return str(self.repo.get("default_branch") or BRANCH)

    @property
    def administers(self) -> bool:
        """Say whether the token is an administrator's of the repository."""
        return bool((self.repo.get("permissions") or {}).get("admin"))

    def is_kept(self, name: str) -> bool:
        """Say whether the job of the referee finds a secret; raises Unseen where that may not be seen."""
        if self.place.kind == "gitea":
            return any(each["name"] == name for each in self.of("actions/secrets", "the secrets", every=""))
        own = self.find(f"environments/{ENVIRONMENT}/secrets/{name}", "the secrets of the environment")
        return own is not None or self.is_for_all(name)

    def is_for_all(self, name: str) -> bool:
        """Say whether GitHub keeps a secret where every workflow can read it; elsewhere there is no other place."""
        if self.place.kind != "github":
            return False
        return self.find(f"actions/secrets/{name}", "the secrets of the repository") is not None

    def has_account(self) -> bool:
        """Say whether the referee has an account of its own, as far as the token may see."""
        if self.place.kind == "github":
            return self.ask(f"{self.at}/environments/{ENVIRONMENT}/secrets/{TOKEN}").known
        try:
            return self.is_kept(TOKEN)
        except Unseen:
            return True

    def step(self, what: str, method: str, path: str = "", body: Shown | None = None) -> Step:
        """Return the step that one request to the repository takes."""
        return Step(what, lambda: self.client.write(method, f"{self.at}/{path}".rstrip("/"), body))


Check = Callable[[Asking], Findings]


def access(asking: Asking) -> Findings:
    """Look whether the forge knows the repository, and who we are to it."""
    told, repo, place = asking.ask(asking.at), asking.repo, asking.place
    if told.status == 401:
        yield Finding("token", "error", "the forge does not accept the token", RENEW)
        return
    archived = "archived" if repo.get("archived") else "disabled" if repo.get("disabled") else ""
    yield judged(
        "access", f"the repository {place.repository} can be written to",
        (not told.known, "error", f"the forge does not know {place.repository}, or does not show it to this token",
         "git remote -v shows where the remote leads; the token must be that of an administrator"),
        (archived, "error", f"the repository is {archived}: nothing can be written",
         f"unarchive it: {place.home}/settings"),
        (not (repo.get("permissions") or {}).get("push"), "warning", "the token may not write to the repository",
         f"as an administrator, {how_to_give(place.kind, place.host)}"),
    )  # fmt: skip


def default_branch(asking: Asking) -> Findings:
    """Look whether the game's branch is the default branch."""
    theirs, place = asking.repo.get("default_branch"), asking.place
    yield judged(
        "branch", f"the default branch is {theirs}",
        (place.branch and theirs != place.branch, "error",
         f"the default branch is {theirs}, and the game is on {place.branch}",
         f"make {place.branch} the default branch: {place.home}/settings"),
        (theirs != BRANCH, "warning",
         f"the default branch is {theirs}, and pushes start the workflows on {BRANCH} only",
         f"rename it to {BRANCH}: {place.home}/branches"),
    )  # fmt: skip


def issues(asking: Asking) -> Findings:
    """Look whether there are issues."""
    switch = asking.step("switch issues on", "PATCH", "", {"has_issues": True})
    off = "issues are switched off: there is no thread and there are no forms"
    yield judged("issues", "issues are switched on", (not asking.repo.get("has_issues"), "error", off, APPLY, switch))


def label(asking: Asking) -> Findings:
    """Look whether the label by which statements are known exists."""
    missing = all(each["name"] != LABEL for each in asking.of("labels", "labels", every=""))
    colour = "5319e7" if asking.place.kind == "github" else "#5319e7"
    body = {"name": LABEL, "color": colour, "description": "A statement to the game"}
    make = asking.step(f"make the label `{LABEL}`", "POST", "labels", body)
    yield judged(
        "label", f"the label `{LABEL}` exists", (missing, "error", f"there is no label `{LABEL}`", APPLY, make)
    )


THREAD = """\
This is the thread of the game: comment here to act when you have no pull request open, and to talk about the game.

A line that begins with `/` is a command, for instance `/do state text="Hello."`, `/join`, or `/rule 105`.
"""


def thread(asking: Asking) -> Findings:
    """Look whether the game has its thread, and whether it can be talked in."""
    oldest = _thread_of(asking)
    known = oldest or {}
    number = known.get("number")
    fault = "locked" if known.get("locked") else "closed" if known.get("state") != "open" else ""
    make = Step("open the issue that is the game's thread", lambda: _open_thread(asking))
    yield judged(
        "thread", f"the game is talked about in #{number}",
        (oldest is None, "warning", "no issue is the game's thread yet", APPLY, make),
        (fault, "error", f"the game's thread, #{number}, is {fault}",
         f"unlock it, or open it again: {asking.place.home}/issues/{number}"),
    )  # fmt: skip


def thread_number(asking: Asking) -> int | None:
    """Return the number of the issue that is the game's thread, None where there is none yet."""
    found = _thread_of(asking)
    return int(found["number"]) if found else None


def _thread_of(asking: Asking) -> Mapping[str, Any] | None:
    found = asking.of("issues", "issues", {"labels": LABEL, "state": "all"}, every="")
    own = [each for each in found if each.get("pull_request") is None and (each.get("user") or {}).get("type") != "Bot"]
    threads = (each for each in own if not str(each.get("body") or "").startswith("### "))  # as forms begin
    return min(threads, key=lambda each: int(each["number"]), default=None)


def _open_thread(asking: Asking) -> None:
    labels: list[Any] = [LABEL]
    if asking.place.kind == "gitea":  # which knows labels by their numbers
        known = asking.client.get(f"{asking.at}/labels").data
        labels = [each["id"] for each in known if each["name"] == LABEL]
    body = {"title": "The game", "body": THREAD, "labels": labels}
    asking.client.write("POST", f"{asking.at}/issues", body)


def secret(asking: Asking, make: Callable[[], object]) -> Findings:
    """Look whether the secret of an open epoch's dice is kept where it belongs; if none is open, one is made unseen."""
    place = asking.place
    opened = listed(game.name for game in place.met if game.settings.get("chance", {}).get("commitment"))
    if asking.is_kept(CHANCE):
        yield _kept(asking, "secret", CHANCE)
    elif opened:
        said = f"{opened} throws dice by a secret, and {CHANCE} is not there: the referee stops"
        store = f"store that very one there: {place.home}/{SECRETS[place.kind]}"
        yield Finding("secret", "error", said, f'{store}; if it is lost: /do abandon_epoch why="…"')
    else:
        step = Step(f"make a secret for the dice and store it as {CHANCE}", make)
        yield Finding("secret", "ok", f"there is no {CHANCE}, and no game throws dice by it", steps=(step,))


def sealing(asking: Asking) -> Findings:
    """Look whether the keys of a keeper are there where something is sealed to them, and kept where they belong."""
    sealed = listed(game.name for game in asking.place.met if game.settings.get("sealing"))
    if sealed and asking.is_kept(SEALING):
        yield _kept(asking, "sealing", SEALING)
    elif sealed:
        said = f"{sealed} seals to a key of its keeper, and {SEALING} is not there: nothing sealed can be judged"
        mend = f"store the keeper's keys as {SEALING}; `moot key --keeper --print` makes another"
        yield Finding("sealing", "error", said, mend)


def _kept(asking: Asking, code: str, name: str) -> Finding:
    said = f"{name} is a secret of the whole repository, so that every workflow can read it"
    mend = f"store it there: {asking.place.home}/{SECRETS['github']}; then gh secret delete {name}"
    return judged(code, f"{name} is kept", (asking.is_for_all(name), "warning", said, mend))


def writers(asking: Asking) -> Findings:
    """Look who can write and administers no game; one such may be the referee's account.

    GitHub tells administrators alone of all.
    """
    place = asking.place
    if place.kind == "github" and not asking.administers:
        asking.unseen.append("who may write")
        return
    known = {handle(game, who, place.kind).lower() for game in place.met for who in administrators(game)}
    if place.kind == "github":
        known.add(place.repository.partition("/")[0].lower())
    query = {"permission": "push"} if place.kind == "github" else None
    found = asking.of("collaborators", "who may write", query, every="")
    others = sorted(each["login"] for each in found if each["login"].lower() not in known)
    own = len(others) == 1 and asking.has_account()
    well = f"beside administrators only {others[0]} can write, who should be the referee's account" if own else ""
    yield judged(
        "writers", well or "only administrators of the games can write",
        (others and not own, "warning", f"can write without being administrators of a game: {listed(others)}",
         f"take it from players, whose forks are enough: {place.home}/{ACCESS[place.kind]}"),
    )  # fmt: skip


def unprotected(asking: Asking, *, kept: bool, step: Step) -> Finding:
    """Return what is found of the protection of the game's branch."""
    flaw = f"{asking.branch} can be rewritten or deleted by whoever may write"
    return judged(
        "unprotected", f"nobody can rewrite or delete {asking.branch}", (not kept, "warning", flaw, APPLY, step)
    )
