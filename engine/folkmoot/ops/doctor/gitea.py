"""What can be found out on Gitea and Forgejo: each check asks for one setting and says what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from folkmoot.forges.workflows import FOLDERS, FORGEJOS
from folkmoot.game.secret_store import CHANCE, SEALING
from folkmoot.ops.doctor.findings import Findings, error, fine, listed, warning
from folkmoot.ops.doctor.forge_checks import (
    BRANCH,
    TOKEN,
    Asking,
    Check,
    Unseen,
    default_branch,
    issues,
    keeper_is_missing,
    label,
    locked,
    thread,
)
from folkmoot.ops.doctor.place import Place, administrators, handle
from folkmoot.ops.doctor.repository_files import only_forgejos

OLDEST = {"gitea": (1, 21), "forgejo": (7, 0)}
NARROWED = (1, 26)
"""Since this version of Gitea a job has only the rights that its workflow asks for."""
_OWN_VERSION = "../forgejo/v1/version"
MERGING = ("has_pull_requests", "allow_manual_merge", "autodetect_manual_merge")
"""The settings without which a pushed merge is not seen as one; only together do they take effect."""


def version(asking: Asking, place: Place, now: int) -> Findings:
    """Look at the version of the forge; Forgejo's names the Gitea that it is like, or says its own elsewhere."""
    told = asking.ask("version")
    said = str((told.data or {}).get("version") or "")
    found = re.match(r"v?(\d+)\.(\d+)", said)
    if found is None:
        asking.unseen.append("the forge's version")
        return
    kind = "forgejo" if "+gitea" in said or asking.ask(_OWN_VERSION).known else "gitea"
    if kind == "gitea" and only_forgejos(place.root):
        looked = FOLDERS[kind]
        why = f"Gitea looks for workflows in {looked}, and they lie in {FORGEJOS}"
        moved = f"mkdir -p {Path(looked).parent} && git mv {FORGEJOS} {looked}"
        yield error("workflows", why, f"{moved} && git commit -m 'Move the jobs' && git push")
    if (int(found[1]), int(found[2])) < OLDEST[kind]:
        oldest = ".".join(map(str, OLDEST[kind]))
        yield warning("version", f"{kind.capitalize()} {said} is old", f"update it to {oldest} or newer")
    else:
        yield fine("version", f"{kind.capitalize()} {said}")
        if kind == "gitea" and (int(found[1]), int(found[2])) < NARROWED:
            why = f"on Gitea {said} the token of every job may write here, whatever its workflow asks for"
            yield warning(
                "job-rights", why, f"let players work in forks, and update it: {place.home}/settings/collaboration"
            )


def merging(asking: Asking, place: Place, now: int) -> Findings:
    """Look whether the forge notices merges that are pushed."""
    off = [name for name in MERGING if asking.repo.get(name) is False]
    untold = [name for name in MERGING if asking.repo.get(name) is None]
    if untold and not off:
        done = f"`moot init --apply` {'switched that on' if place.remembers('merging') else 'sees to it'}"
        said = "this version does not tell whether it notices merges that are pushed"
        yield fine("merging", f"{said}; {done}, and without it adopted pull requests are closed with a link")
    elif off:
        yield error("merging", f"merges that are pushed are not seen: {listed(off)} switched off", "moot init --apply")
    else:
        yield fine("merging", "the forge notices merges that are pushed")


def actions(asking: Asking, place: Place, now: int) -> Findings:
    """Look whether jobs are switched on."""
    if asking.repo.get("has_actions") is None:
        said = "this version of the forge has no Actions: nothing runs the referee but you"
        yield warning("actions", said, "`moot referee --watch 60` on a machine of yours, or a newer version")
    elif asking.repo["has_actions"]:
        yield fine("actions", "Actions are switched on")
    else:
        yield error("actions", "Actions are switched off: nothing runs the referee", "moot init --apply")


def runs(asking: Asking, place: Place, now: int) -> Findings:
    """Look at the newest run of the referee."""
    found = asking.of("actions/tasks", "runs of jobs", {"limit": 50})
    ours = [run for run in found.get("workflow_runs") or () if run.get("workflow_id") == "referee.yml"]
    ended = [run for run in ours if run.get("status") not in ("cancelled", "skipped")]
    if not ended:
        mend = f"git push, or start it: {place.home}/actions?workflow=referee.yml"
        yield warning("referee-run", "the referee has not run lately", mend)
    elif ended[0].get("status") == "failure":
        yield error(
            "referee-run",
            f"the newest run of the referee failed: {ended[0].get('url', '')}",
            f"read why there, then start it again: {place.home}/actions?workflow=referee.yml",
        )
    else:
        yield fine("referee-run", f"the referee's newest run: {ended[0].get('status')}")


def secret(asking: Asking, place: Place, now: int) -> Findings:
    """Look whether the secret of the dice is there where an epoch is open."""
    found = asking.all("actions/secrets", "the secrets of the repository")
    opened = [game.name for game in place.met if game.chance.get("commitment")]
    if any(each["name"] == CHANCE for each in found):
        yield fine("secret", f"{CHANCE} is kept")
    elif opened:
        said = f"{listed(opened)} throws dice by a secret, and {CHANCE} is not there: the referee stops"
        yield error("secret", said, 'moot init --apply; if the old one is lost: /do abandon_epoch why="…"')
    else:
        yield fine("secret", f"there is no {CHANCE}, and no game throws dice by it")


def sealing(asking: Asking, place: Place, now: int) -> Findings:
    """Look whether the keys of a keeper are there where something is sealed to them."""
    sealed = [game.name for game in place.met if game.is_sealing]
    if not sealed:
        return
    if any(each["name"] == SEALING for each in asking.all("actions/secrets", "the secrets of the repository")):
        yield fine("sealing", f"{SEALING} is kept")
    else:
        yield from keeper_is_missing(sealed)


def token_of_jobs(asking: Asking, place: Place, now: int) -> Findings:
    """Look whether the referee's job has a token that may push: its own starts nothing, and sees no forks."""
    if any(each["name"] == TOKEN for each in asking.all("actions/secrets", "the secrets of the repository")):
        yield fine("job-token", f"{TOKEN} is kept")
    else:
        said = f"there is no secret {TOKEN}: the referee's job has no token of an account of its own"
        yield error(
            "job-token",
            said,
            f"store the token of an account that may write here as {TOKEN}: {place.home}/settings/actions/secrets",
        )


def rules(asking: Asking, place: Place, now: int) -> Findings:
    """Look whether the protection of the branch lets the referee push, and nobody rewrite it."""
    branch = str(asking.repo.get("default_branch") or BRANCH)
    found = asking.of("branch_protections", "the protection of branches")
    ours = [each for each in found if branch in (each.get("rule_name"), each.get("branch_name"))]
    if not ours:
        mend = "moot init --apply"
        yield warning("unprotected", f"{branch} can be rewritten or deleted by whoever may write", mend)
        return
    yield fine("unprotected", f"{branch} is protected")
    stopping = _stopping(ours[0])
    if stopping:
        said = f"the protection of {branch} stops the referee's push: {listed(stopping)}"
        yield error(
            "rules", said, f"let the account of {TOKEN} push, or all who may write: {place.home}/settings/branches"
        )
        return
    named, others = _pushers(ours[0]), [] if not _pushers(ours[0]) else _others(asking, place)
    if others and not {each.lower() for each in others} & {each.lower() for each in named}:
        said = f"only {listed(named)} may push to {branch}, and the account of the referee must be one of them"
        yield warning("rules", f"{said}; is it {listed(others)}?", f"let it push: {place.home}/settings/branches")
    else:
        yield fine("rules", f"the referee may push to {branch}")


def _pushers(protection: Mapping[str, Any]) -> list[str]:
    """Return the accounts that alone may push, none where all who may write do, or where teams are named, too."""
    listing = protection.get("enable_push_whitelist") and not protection.get("push_whitelist_teams")
    return list(protection.get("push_whitelist_usernames") or ()) if listing else []


def _others(asking: Asking, place: Place) -> list[str]:
    """Return who collaborates and is no administrator of a game: the referee's account, it may be."""
    known = {handle(game, who, "gitea").lower() for game in place.met for who in administrators(game)}
    found = asking.all("collaborators", "who may write")
    return sorted(each["login"] for each in found if each["login"].lower() not in known)


def _stopping(protection: Mapping[str, Any]) -> list[str]:
    """Return what of a protection stops a push of the referee's."""
    named = bool(protection.get("push_whitelist_usernames") or protection.get("push_whitelist_deploy_keys"))
    closed = protection.get("enable_push_whitelist") and not named
    off = {"nobody may push": not protection.get("enable_push"), "nobody is allowed to push": bool(closed)}
    off |= {"commits must be signed": bool(protection.get("require_signed_commits"))}
    off |= {f"some files are protected: {protection.get('protected_file_patterns')}": bool(
        protection.get("protected_file_patterns")
    )}  # fmt: skip
    return [why for why, stops in off.items() if stops]


def writers(asking: Asking, place: Place, now: int) -> Findings:
    """Look who can write beside the administrators of the games."""
    others = _others(asking, place)
    if len(others) == 1 and _keeps_token(asking):
        said = f"beside administrators only {others[0]} collaborates, who should be the referee's account"
        yield fine("writers", said)
    elif others:
        said = f"collaborators who are no administrators of a game: {listed(others)}"
        mend = f"take it from players, whose forks are enough: {place.home}/settings/collaboration"
        yield warning("writers", said, mend)
    else:
        yield fine("writers", "only administrators of the games collaborate")


def _keeps_token(asking: Asking) -> bool:
    """Say whether the referee has an account of its own, as far as the token may see."""
    try:
        return any(each["name"] == TOKEN for each in asking.all("actions/secrets", "the secrets of the repository"))
    except Unseen:
        return True


GITEA: tuple[Check, ...] = (
    version,
    default_branch,
    issues,
    label,
    thread,
    merging,
    actions,
    runs,
    secret,
    sealing,
    token_of_jobs,
    rules,
    writers,
    locked,
)
"""What is looked at on Gitea and Forgejo, in this order, once it is known that the repository can be reached."""
