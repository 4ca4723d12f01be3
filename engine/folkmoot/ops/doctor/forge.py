"""A forge whose settings are examined: what it is asked, and what is looked at on every kind of forge.

The tables of `github.py` and `gitea.py` hold checks of one form. One that a single answer decides is a `Setting`, a row
of words; each other is a function. What the API can put right is a step of the finding.
"""

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
from folkmoot.game.secret_store import CHANCE, SEALING
from folkmoot.ops.doctor.findings import APPLY, Finding, Findings, State, Step, error, fine, listed, warning
from folkmoot.ops.doctor.place import Place, administrators, handle

ABSENT = (404, 410)
HIDDEN = (401, 403)
FAILING = 500
"""From this number on an answer says that the forge fails, and nothing of what was asked."""
BRANCH = "main"
TOKEN = "FOLKMOOT_TOKEN"  # noqa: S105 (the name of one)
ENVIRONMENT = "referee"
"""Where GitHub keeps the secrets of the referee's job."""
SECRETS = {"github": "settings/environments", "gitea": "settings/actions/secrets"}
ACCESS = {"github": "settings/access", "gitea": "settings/collaboration"}
SKEW = 60


class Told(Struct, frozen=True):
    """What the forge said: the number of its answer, its data (None unless it answered), its time (Unix seconds)."""

    status: int
    data: Any = None
    at: int = 0

    @property
    def known(self) -> bool:
        """Say whether the forge answered what was asked."""
        return self.status == 200


class Unseen(Exception):
    """Something could not be looked at; where that is because of the token or the version, it is noted already."""

    def __init__(self, *, too_new: bool = False) -> None:
        super().__init__()
        self.too_new = too_new


class Asking:
    """Asks about the repository of a place; `unseen` is what the token may not see, `unasked` what has no request.

    `now` is this machine's time (Unix seconds).
    """

    def __init__(self, client: Client, place: Place, now: int = 0) -> None:
        self.client = client
        self.place = place
        self.now = now
        self.at = f"repos/{place.repository}"
        self.unseen: list[str] = []
        self.unasked: list[str] = []
        self._told: dict[str, Told] = {}

    def ask(self, path: str, query: Query | None = None, every: str | None = None) -> Told:
        """Ask for something, or for `every` item of a list, which stands below that key ("" for a bare list).

        Raises E-FORGE where the forge fails, not where it refuses.
        """
        name = f"{path} {sorted((query or {}).items())} {every}"
        if name not in self._told:
            try:
                if every is not None:
                    self._told[name] = Told(200, list(self._items(path, query, every)))
                else:
                    reply = self.client.get(path, query)
                    self._told[name] = Told(200, reply.data, reply.at)
            except RefusedError as refused:
                if refused.status >= FAILING:
                    raise
                self._told[name] = Told(refused.status)
        return self._told[name]

    def _items(self, path: str, query: Query | None, key: str) -> Iterator[Any]:
        for page in self._pages(path, query):
            items = page.data[key] if key else page.data
            if not isinstance(items, list):
                raise fail("E-FORGE", "the forge answers with something else than a list", None, "run it again")
            if not items:
                return
            yield from items

    def _pages(self, path: str, query: Query | None) -> Iterator[Reply]:
        """Yield the pages of a list; Gitea's are asked for by their numbers, until one is empty."""
        if self.place.kind != "gitea":
            yield from self.client.pages(path, query)
            return
        for number in range(1, MOST_PAGES):
            yield self.client.get(path, {**(query or {}), "limit": 50, "page": number})

    def find(self, path: str, what: str, query: Query | None = None, every: str | None = None) -> Any:
        """Return something of the repository, None where it is not there; raises Unseen where it may not be seen.

        A forge says "not found" of what a token may not see, so that absence is believed only of an administrator; and
        where it is older than a request for its jobs, it has none of them.
        """
        told = self.ask(f"{self.at}/{path}", query, every)
        if told.known:
            return told.data
        absent = told.status in ABSENT and self.administers
        if absent and self.place.kind == "gitea" and path.startswith("actions/"):
            self.unasked.append(what)
            raise Unseen(too_new=True)
        if not absent:
            self.unseen.append(what)
            raise Unseen
        return None

    def of(self, path: str, what: str, query: Query | None = None) -> Any:
        """Return something of the repository; raises Unseen where it is not there, or may not be seen."""
        found = self.find(path, what, query)
        if found is None:
            raise Unseen
        return found

    def all(self, path: str, what: str, key: str = "", query: Query | None = None) -> list[Any]:
        """Return all items of a list of the repository; raises Unseen where it may not be seen."""
        found = self.find(path, what, query, key)
        if found is None:
            self.unseen.append(what)
            raise Unseen
        return list(found)

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
            return any(each["name"] == name for each in self.all("actions/secrets", "the secrets of the repository"))
        own = self.find(f"environments/{ENVIRONMENT}/secrets/{name}", "the secrets of the environment")
        return own is not None or self.is_for_all(name)

    def is_for_all(self, name: str) -> bool:
        """Say whether GitHub keeps a secret where every workflow can read it; elsewhere there is no other place."""
        return (
            self.place.kind == "github"
            and self.find(f"actions/secrets/{name}", "the secrets of the repository") is not None
        )

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


class Setting(Struct, frozen=True, kw_only=True):
    """A check that one answer decides: `flaw` asks for what is wrong; sentences hold that, and the `home` of the place.

    `step` is what is done, by which request.
    """

    code: str
    flaw: Callable[[Asking], Any]
    fine: str
    wrong: str
    state: State = "error"
    mend: str = APPLY
    step: tuple[str, str, str, Shown] | None = None

    def __call__(self, asking: Asking) -> Findings:
        """Yield what is found."""
        flaw = self.flaw(asking)
        if not flaw:
            yield fine(self.code, self.fine)
            return
        wrong, mend = (text.format(flaw=flaw, home=asking.place.home) for text in (self.wrong, self.mend))
        yield Finding(self.code, self.state, wrong, mend, (asking.step(*self.step),) if self.step else ())


def clock(asking: Asking) -> Findings:
    """Compare this machine's clock with the forge's."""
    told = asking.ask("version" if asking.place.kind == "gitea" else "rate_limit")  # what even a stranger may ask
    at = told.at or asking.ask(asking.at).at
    if not at:
        return
    if abs(asking.now - at) > SKEW:
        said = f"this machine's clock is off the forge's by {abs(asking.now - at)} seconds"
        yield error("clock", said, "let the machine set its clock by the network")
    else:
        yield fine("clock", "this machine's clock agrees with the forge's")


def access(asking: Asking) -> Findings:
    """Look whether the forge knows the repository, and who we are to it."""
    told, repo, place = asking.ask(asking.at), asking.repo, asking.place
    if told.status == 401:
        yield error("token", "the forge does not accept the token", RENEW)
    elif not told.known:
        said = f"the forge does not know {place.repository}, or does not show it to this token"
        mend = "git remote -v shows where the remote leads; the token must be that of an administrator"
        yield error("access", said, mend)
    elif repo.get("archived") or repo.get("disabled"):
        why = "archived" if repo.get("archived") else "disabled"
        mend = f"unarchive it: {place.home}/settings"
        yield error("access", f"the repository is {why}: nothing can be written", mend)
    elif not (repo.get("permissions") or {}).get("push"):
        mend = f"as an administrator, {how_to_give(place.kind, place.host)}"
        yield warning("access", "the token may not write to the repository", mend)
    else:
        yield fine("access", f"the repository {place.repository} can be written to")


def default_branch(asking: Asking) -> Findings:
    """Look whether the game's branch is the default branch."""
    theirs, place = asking.repo.get("default_branch"), asking.place
    if place.branch and theirs != place.branch:
        said = f"the default branch is {theirs}, and the game is on {place.branch}"
        yield error("branch", said, f"make {place.branch} the default branch: {place.home}/settings")
    elif theirs != BRANCH:
        said = f"the default branch is {theirs}, and pushes start the workflows on {BRANCH} only"
        yield warning("branch", said, f"rename it to {BRANCH}: {place.home}/branches")
    else:
        yield fine("branch", f"the default branch is {theirs}")


issues = Setting(
    code="issues",
    flaw=lambda asking: not asking.repo.get("has_issues"),
    fine="issues are switched on",
    wrong="issues are switched off: there is no thread and there are no forms",
    step=("switch issues on", "PATCH", "", {"has_issues": True}),
)


def label(asking: Asking) -> Findings:
    """Look whether the label by which statements are known exists."""
    if any(each["name"] == LABEL for each in asking.all("labels", "labels")):
        yield fine("label", f"the label `{LABEL}` exists")
        return
    colour = "5319e7" if asking.place.kind == "github" else "#5319e7"
    body = {"name": LABEL, "color": colour, "description": "A statement to the game"}
    make = asking.step(f"make the label `{LABEL}`", "POST", "labels", body)
    yield error("label", f"there is no label `{LABEL}`", APPLY, make)


THREAD = """\
This is the thread of the game: comment here to act when you have no pull request open, and to talk about the game.

A line that begins with `/` is a command, for instance `/do state text="Hello."`, `/join`, or `/rule 105`.
"""


def thread(asking: Asking) -> Findings:
    """Look whether the game has its thread, and whether it can be talked in."""
    oldest = thread_of(asking)
    if oldest is None:
        make = Step("open the issue that is the game's thread", lambda: _open_thread(asking))
        yield warning("thread", "no issue is the game's thread yet", APPLY, make)
    elif oldest.fault:
        said = f"the game's thread, #{oldest.number}, is {oldest.fault}"
        yield error("thread", said, f"unlock it, or open it again: {asking.place.home}/issues/{oldest.number}")
    else:
        yield fine("thread", f"the game is talked about in #{oldest.number}")


class Thread(Struct, frozen=True):
    """The issue that is a game's thread, and why nobody can talk there, "" where one can."""

    number: int
    fault: str


def thread_of(asking: Asking) -> Thread | None:
    """Return the issue that is the game's thread, None where there is none yet."""
    found = asking.all("issues", "issues", query={"labels": LABEL, "state": "all"})
    threads = [issue for issue in found if not _is_other(issue)]
    oldest = min(threads, key=lambda issue: int(issue["number"]), default=None)
    if oldest is None:
        return None
    fault = "locked" if oldest.get("locked") else "closed" if oldest["state"] != "open" else ""
    return Thread(int(oldest["number"]), fault)


def _is_other(issue: Mapping[str, Any]) -> bool:
    """Say whether an issue is no thread: a pull request, made by a form, or by a robot."""
    robot = (issue.get("user") or {}).get("type") == "Bot"
    return robot or issue.get("pull_request") is not None or str(issue.get("body") or "").startswith("### ")


def _open_thread(asking: Asking) -> None:
    labels: list[Any] = [LABEL]
    if asking.place.kind == "gitea":  # which knows labels by their numbers
        known = asking.client.get(f"{asking.at}/labels").data
        labels = [each["id"] for each in known if each["name"] == LABEL]
    body = {"title": "The game", "body": THREAD, "labels": labels}
    asking.client.write("POST", f"{asking.at}/issues", body)


def _locked_pulls(asking: Asking) -> str:
    found = asking.all("pulls", "pull requests", query={"state": "open"})
    return listed(f"#{pull['number']}" for pull in found if pull.get("locked") or pull.get("is_locked"))


locked = Setting(
    code="locked",
    flaw=_locked_pulls,
    fine="no pull request is locked",
    wrong="players cannot comment on {flaw}: locked",
    state="warning",
    mend="unlock each conversation: {home}/pulls",
)


def secret(asking: Asking, make: Callable[[Asking], Any]) -> Findings:
    """Look whether the secret of the dice is there where an epoch is open, and kept where it belongs.

    Where none is open, one is made that nobody sees. A server that cannot list secrets may store them all the same.
    """
    place = asking.place
    opened = listed(game.name for game in place.met if game.chance.get("commitment"))
    step = Step(f"make a secret for the dice and store it as {CHANCE}", lambda: make(asking))
    try:
        kept = asking.is_kept(CHANCE)
    except Unseen as unseen:
        if opened or not unseen.too_new or asking.repo.get("has_actions") is None:
            raise
        steps = [] if place.remembers("secret") else [step]
        yield fine("secret", f"this version does not tell whether {CHANCE} is kept, and no game needs it yet", *steps)
        return
    if kept:
        yield _kept(asking, "secret", CHANCE)
    elif opened:
        said = f"{opened} throws dice by a secret, and {CHANCE} is not there: the referee stops"
        store = f"store that very one there: {place.home}/{SECRETS[place.kind]}"
        yield error("secret", said, f'{store}; if it is lost: /do abandon_epoch why="…"')
    else:
        yield fine("secret", f"there is no {CHANCE}, and no game throws dice by it", step)


def sealing(asking: Asking) -> Findings:
    """Look whether the keys of a keeper are there where something is sealed to them, and kept where they belong."""
    sealed = listed(game.name for game in asking.place.met if game.is_sealing)
    if not sealed:
        return
    if asking.is_kept(SEALING):
        yield _kept(asking, "sealing", SEALING)
    else:
        said = f"{sealed} seals to a key of its keeper, and {SEALING} is not there: nothing sealed can be judged"
        yield error("sealing", said, f"store the keeper's keys as {SEALING}; `moot key --keeper --print` makes another")


def _kept(asking: Asking, code: str, name: str) -> Finding:
    if not asking.is_for_all(name):
        return fine(code, f"{name} is kept")
    said = f"{name} is a secret of the whole repository, so that every workflow can read it"
    return warning(code, said, f"store it there: {asking.place.home}/{SECRETS['github']}; then gh secret delete {name}")


def strangers(asking: Asking) -> list[str]:
    """Return who can write and administers no game: the referee's account, it may be. Raises Unseen."""
    kind = asking.place.kind
    known = {handle(game, who, kind).lower() for game in asking.place.met for who in administrators(game)}
    if kind == "github":
        known.add(asking.place.repository.partition("/")[0].lower())
    found = asking.all("collaborators", "who may write", query={"permission": "push"} if kind == "github" else None)
    return sorted(each["login"] for each in found if each["login"].lower() not in known)


def writers(asking: Asking) -> Findings:
    """Look who can write beside the administrators of the games."""
    others, place = strangers(asking), asking.place
    if len(others) == 1 and asking.has_account():
        yield fine("writers", f"beside administrators only {others[0]} can write, who should be the referee's account")
    elif others:
        mend = f"take it from players, whose forks are enough: {place.home}/{ACCESS[place.kind]}"
        yield warning("writers", f"can write without being administrators of a game: {listed(others)}", mend)
    else:
        yield fine("writers", "only administrators of the games can write")


def unprotected(asking: Asking, *, kept: bool, step: Step) -> Finding:
    """Return what is found of the protection of the game's branch."""
    if kept:
        return fine("unprotected", f"nobody can rewrite or delete {asking.branch}")
    return warning("unprotected", f"{asking.branch} can be rewritten or deleted by whoever may write", APPLY, step)
