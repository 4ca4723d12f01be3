"""Bringing a commit to where pull requests are opened: by git alone, or by a branch on a forge on the web.

Only the forge can open a pull request there: a push to its own refs would be taken for somebody else's words, or lie in
a fork where nobody looks. So a branch is pushed, and the forge is asked to open one with the token of its author; who
has given none is told the address at which it becomes one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from folkmoot.cli.forges import api_of, web_forge, web_place
from folkmoot.cli.sending import title_of
from folkmoot.cli.tokens import players_token
from folkmoot.core.keys import GAME, forge_home, forge_kind
from folkmoot.core.problems import Problem, ProblemError, fail
from folkmoot.forges.cache.refs import BRANCHES, Refs, in_the_way, pull_ref
from folkmoot.forges.git_transport import Move, without_secrets
from folkmoot.forges.local.letters import Letter
from folkmoot.forges.web.client import Client
from folkmoot.forges.web.credentials import how_to_give
from folkmoot.journal.repositories import remote_addresses
from folkmoot.kernel.ballot_words import review_said
from folkmoot.player.dry_run import FORGES
from folkmoot.player.proposing import Proposal
from folkmoot.player.remote_view import PullSeen, RemoteView
from folkmoot.player.voting import vote_line
from folkmoot.site.forge_links import ForgeLinks

LONGEST_NAME = 40


class Sent(Struct, frozen=True, kw_only=True):
    """What became of a commit: the number of the pull request, or the branch, its remote, and where it becomes one.

    `address` is "" where the branch is that of a pull request already; `again` says that the commit went to one that
    was there. `refused` is why nobody knows of one that the forge was asked to open.
    """

    pull: int | None
    again: bool = False
    branch: str = ""
    remote: str = ""
    address: str = ""
    refused: str = ""

    @property
    def record(self) -> dict[str, Any]:
        """Return it for programs."""
        web = {"branch": self.branch, "remote": self.remote, "address": self.address} if self.branch else {}
        return {"pull": self.pull, **web}

    @property
    def sentences(self) -> str:
        """Return what was done, and what is left to do."""
        if self.address:
            known = f"may be no pull request yet ({self.refused})" if self.refused else "is no pull request yet"
            pushed = f"Pushed the branch {self.branch} to {self.remote}. It {known}: open it at"
            return f"{pushed}\n  {self.address}\nWhat it asks for"
        where = f" with the branch {self.branch} of {self.remote}" if self.branch else ""
        return f"{'Pushed to' if self.again else 'Opened'} pull request {self.pull}{where}"


class _Lying(Struct, frozen=True):
    """Where a game lies on the web: the `home` of its repository there, and in which repository below which host."""

    links: ForgeLinks
    host: str
    repository: str


def open_pull(view: RemoteView, made: Proposal, title: str = "", body: str = "") -> Sent:
    """Open a pull request with a commit, or bring an author who has given no token to where the forge does so.

    Raises E-FORGE where nothing could be pushed, with what to do.
    """
    if not view.web:
        return Sent(pull=view.repository.open_pull(made.commit))
    lying, wanted = home_of(view), _name_for(view, made)
    failed: list[Problem] = []
    for name, address in _remotes(view, lying):
        try:
            branch = _push_new(view, address, wanted, made.commit)
        except ProblemError as error:
            failed += [Problem(p.code, f"{name}: {p.message}", p.position, p.hint) for p in error.problems]
            continue
        repository = (web_place(address) or ("", lying.repository))[1]
        owner = "" if repository.lower() == lying.repository.lower() else repository.partition("/")[0]
        head = f"{owner}:{branch}" if owner else branch
        asked = {"title": title or made.title, "head": head, "base": view.branch, "body": body}
        pull, refused = _opened(view.web, lying, asked)
        where = "" if pull else lying.links.compare(branch, owner, title=title, body=body)
        return Sent(pull=pull, branch=branch, remote=name, address=where, refused=refused)
    hint = f"fork {lying.links.home} there, name your fork by `git remote add fork ADDRESS`, then run this again"
    raise ProblemError(*failed, Problem("E-FORGE", "nothing was pushed", None, hint))


def push_pull(view: RemoteView, pull: PullSeen, made: Proposal) -> Sent:
    """Make a commit the head of a pull request.

    On the web that is done by its branch. Raises E-MOVED where the pull request was moved on meanwhile, E-NO-SUCH where
    none of the remotes has its branch, and E-FORGE.
    """
    moved_on = fail("E-MOVED", f"{title_of(pull)} was moved on meanwhile", None, "look at it, then run this again")
    if not view.web:
        if not view.repository.push_pull(pull.number, made.commit, pull.head):
            raise moved_on
        return Sent(pull=pull.number, again=True)
    for name, address in _remotes(view, home_of(view)):
        refs = Refs(Path(view.folder), address, may_ask=True)
        standing = refs.read()
        if view.standing.refs.get(pull_ref(pull.number), pull.head) != pull.head:
            raise moved_on
        branches = [ref for ref, value in refs.git.listing(address).refs.items() if value == pull.head]
        ours = sorted(ref for ref in branches if ref.startswith(BRANCHES) and ref != standing.branch)
        if ours:
            if not refs.move([Move(ours[0], pull.head, made.commit)]):
                raise moved_on
            return Sent(pull=pull.number, again=True, branch=ours[0].removeprefix(BRANCHES), remote=name)
    hint = f"push to its branch yourself: `git push REMOTE {made.commit[:12]}:BRANCH --force-with-lease`"
    message = f"none of your remotes has a branch that stands where pull request {pull.number} does"
    raise fail("E-NO-SUCH", message, None, hint)


def _opened(kind: str, lying: _Lying, asked: dict[str, str]) -> tuple[int | None, str]:
    """Return the number of the pull request that a forge opens by its author's token; None, and why, if it does not."""
    client = players_client(kind, lying.host)
    if client is None:
        return None, ""
    try:
        made = client.write("POST", f"repos/{lying.repository}/pulls", asked).data
    except ProblemError as error:
        return None, error.problems[0].message
    finally:
        client.close()
    number = made.get("number") if isinstance(made, dict) else None
    return (number, "") if type(number) is int and number > 0 else (None, "the forge did not say which it is")


def players_client(kind: str, host: str) -> Client | None:
    """Return a client of a forge that asks in the name of a player, None where there is no token of theirs."""
    token = players_token(kind, host)
    return Client(api_of(kind, host), web_forge(kind).headers_with(token)) if token else None


# -- where


def home_of(view: RemoteView) -> _Lying:
    """Return where the games lie; raises E-FORGE where neither a game nor the remote says so."""
    settings = [view.record(name).kept(GAME) for name in view.games()]
    homes = [forge_home(game) for game in settings if forge_kind(game) == view.web and forge_home(game)]
    found = web_place(homes[0] if homes else view.remote or "", homes[0] if homes else "")
    if found is None:
        what = f"the game is played on {FORGES[view.web]}, and {view.place} is not there"
        raise fail("E-FORGE", what, None, "name the repository there: --remote URL")
    host, repository = found
    links = ForgeLinks(view.web, f"{host}/{repository}", view.branch, view.games()[0])
    return _Lying(links, host, repository)


def _remotes(view: RemoteView, lying: _Lying) -> Iterator[tuple[str, str]]:
    """Yield the remotes that lie on the forge, by name and address: where the players meet first, then the forks."""
    known = {address: name for name, address in remote_addresses(view.repo).items()}
    first = {view.remote: known.get(view.remote, view.place)} if view.remote else {}
    host = lying.host.partition("://")[2].partition("/")[0].rpartition("@")[2].partition(":")[0]
    for address, name in {**first, **known}.items():
        place = web_place(address)
        there = place[0].partition("://")[2].partition("/")[0].partition(":")[0] if place else ""
        if there == host:
            yield without_secrets(name, address), address


# -- pushing


def _name_for(view: RemoteView, made: Proposal) -> str:
    """Return what a branch for a commit is called: as the checked-out one if that is it, else after the title."""
    repo = view.repo
    if not repo.head_is_unborn and not repo.head_is_detached and str(repo.head.target) == made.commit:
        own = repo.head.shorthand
        if own != view.branch:
            return own
    name = re.sub(r"[^a-z0-9]+", "-", made.title.lower()).strip("-")[:LONGEST_NAME].strip("-")
    return f"moot/{name or 'proposal'}"


def _push_new(view: RemoteView, address: str, wanted: str, commit: str) -> str:
    """Push a commit as a branch that is not there yet, or that is just this; returns its name. Raises E-FORGE."""
    refs = Refs(Path(view.folder), address, may_ask=True)

    def tried() -> str | None:
        there = refs.git.listing(address).refs
        barred = any((BRANCHES + wanted).startswith(f"{ref}/") for ref in there)  # a branch `moot` bars all `moot/…`
        name = free = wanted.replace("/", "-") if barred else wanted
        count = 2
        while there.get(BRANCHES + name, commit) != commit or in_the_way(BRANCHES + name, there):
            name, count = f"{free}-{count}", count + 1
        done = BRANCHES + name in there or refs.move([Move(BRANCHES + name, "", commit)])
        return name if done else None

    return refs.again(tried)


# -- what is said

REVIEWS = ("approve", "request_changes")
SAID = ("comment", "close", *REVIEWS)
"""What can be said there: a review is said in words, because nobody may review what they opened themselves."""


def post(view: RemoteView, letter: Letter) -> str:
    """Say on a forge what a letter says, by the person's token; returns by which name a referee knows it, "" for none.

    Raises E-STATUS where the person has to say it there themselves, and E-FORGE.
    """
    number = letter.pull or view.seen.standing.thread
    if letter.kind not in SAID or not number:
        raise _unsaid(view, letter)
    try:
        place = home_of(view)
    except ProblemError:  # nothing says where that is
        raise _unsaid(view, letter) from None
    client = players_client(view.web, place.host)
    if client is None:
        raise _unsaid(view, letter, f"; or {how_to_give(view.web, place.host)}, and it is said there for you")
    try:
        if letter.kind == "close":
            client.write("PATCH", f"repos/{place.repository}/pulls/{number}", {"state": "closed"})
            return ""
        body = vote_line(review_said(letter.kind), {}, letter.body) if letter.kind in REVIEWS else letter.body
        made = client.write("POST", f"repos/{place.repository}/issues/{number}/comments", {"body": body}).data
        return f"c{made['id']}" if isinstance(made, dict) and isinstance(made.get("id"), int) else ""
    finally:
        client.close()


def _unsaid(view: RemoteView, letter: Letter, more: str = "") -> ProblemError:
    """Return that something is not said from here, and how a person says it on the forge."""
    home = next(filter(None, (forge_home(view.record(game).kept(GAME)) for game in view.games())), "")
    thread = "the issue that is the game's thread" + (f" ({home}/issues)" if home else "")
    where = view.link(letter.pull) or (f"pull request {letter.pull}" if letter.pull else thread)
    done = {"approve": "approve it", "request_changes": "request changes", "close": "close it"}
    comment = f"comment there, on {where}: `{letter.body}`"
    how = comment if letter.kind == "comment" else f"{done.get(letter.kind, 'do it')} there: {where}"
    message = f"nothing was sent: the game is played on {FORGES[view.web]}, where you say it yourself"
    return fail("E-STATUS", message, None, how + more)
