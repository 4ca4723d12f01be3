"""What can be found out on either kind of forge: each check asks for one setting and says what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from folkmoot.files.issue_forms import LABEL
from folkmoot.forges.git_transport import RENEW
from folkmoot.forges.web.credentials import how_to_give
from folkmoot.game import hidden_keys, master_secret
from folkmoot.ops.doctor.findings import Findings, error, fine, listed, warning
from folkmoot.ops.doctor.place import Place
from folkmoot.ops.doctor.settings_reader import Asking

BRANCH = "main"
SECRET = master_secret.VARIABLE
KEEPER = hidden_keys.VARIABLE
TOKEN = "FOLKMOOT_TOKEN"  # noqa: S105 (the name of one)
SKEW = 60
Check = Callable[[Asking, Place, int], Findings]


def keeper_is_missing(games: list[str]) -> Findings:
    """Say that the keys of a keeper are not where the job of the referee finds them."""
    said = f"{listed(games)} seals to a key of its keeper, and {KEEPER} is not there: nothing sealed can be judged"
    yield error("sealing", said, f"store the keeper's keys as {KEEPER}; `moot key --keeper --print` makes another")


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
