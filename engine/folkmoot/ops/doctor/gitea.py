"""What is looked at on Gitea and Forgejo: a check of each setting, what is told of it, and what puts it right."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from folkmoot.core.problems import fail
from folkmoot.forges.workflows import FOLDERS, FORGEJOS
from folkmoot.game.secret_store import CHANCE, make_master
from folkmoot.ops.doctor import forge
from folkmoot.ops.doctor.findings import APPLY, Findings, Step, error, fine, listed, warning
from folkmoot.ops.doctor.forge import TOKEN, Asking, Check, Setting
from folkmoot.ops.doctor.repository_files import only_forgejos

OLDEST = {"gitea": (1, 21), "forgejo": (7, 0)}
NARROWED = (1, 26)
"""Since this version of Gitea a job has only the rights that its workflow asks for."""
_OWN_VERSION = "../forgejo/v1/version"
MERGING = ("has_pull_requests", "allow_manual_merge", "autodetect_manual_merge")
"""The settings without which a pushed merge is not seen as one; only together do they take effect."""


def version(asking: Asking) -> Findings:
    """Look at the version of the forge; Forgejo's names the Gitea that it is like, or says its own elsewhere."""
    said = str((asking.ask("version").data or {}).get("version") or "")
    found, place = re.match(r"v?(\d+)\.(\d+)", said), asking.place
    if found is None:
        asking.unseen.append("the forge's version")
        return
    number = int(found[1]), int(found[2])
    kind = "forgejo" if "+gitea" in said or asking.ask(_OWN_VERSION).known else "gitea"
    if kind == "gitea" and only_forgejos(place.root):
        looked = FOLDERS[kind]
        why = f"Gitea looks for workflows in {looked}, and they lie in {FORGEJOS}"
        moved = f"mkdir -p {Path(looked).parent} && git mv {FORGEJOS} {looked}"
        yield error("workflows", why, f"{moved} && git commit -m 'Move the jobs' && git push")
    if number < OLDEST[kind]:
        oldest = ".".join(map(str, OLDEST[kind]))
        yield warning("version", f"{kind.capitalize()} {said} is old", f"update it to {oldest} or newer")
        return
    yield fine("version", f"{kind.capitalize()} {said}")
    if kind == "gitea" and number < NARROWED:
        why = f"on Gitea {said} the token of every job may write here, whatever its workflow asks for"
        mend = f"let players work in forks, and update it: {place.home}/settings/collaboration"
        yield warning("job-rights", why, mend)


def merging(asking: Asking) -> Findings:
    """Look whether the forge notices merges that are pushed."""
    off, untold = ([name for name in MERGING if asking.repo.get(name) is state] for state in (False, None))
    done = asking.place.remembers("merging")
    step = Step("let the forge notice merges that are pushed", lambda: _let_merges_be_noticed(asking))
    if off:
        said = f"merges that are pushed are not seen: {listed(off)} switched off"
        yield error("merging", said, APPLY, step)
    elif untold:
        said = "this version does not tell whether it notices merges that are pushed"
        how = f"`moot init --apply` {'switched that on' if done else 'sees to it'}"
        without = "without it adopted pull requests are closed with a link"
        yield fine("merging", f"{said}; {how}, and {without}", *([] if done else [step]))
    else:
        yield fine("merging", "the forge notices merges that are pushed")


def _let_merges_be_noticed(asking: Asking) -> None:
    asking.client.write("PATCH", asking.at, dict.fromkeys(MERGING, True))
    asking.place.remember("merging")


def actions(asking: Asking) -> Findings:
    """Look whether jobs are switched on; a server that has none does not speak of them."""
    if asking.repo.get("has_actions") is None:
        said = "this version of the forge has no Actions: nothing runs the referee but you"
        yield warning("actions", said, "`moot referee --watch 60` on a machine of yours, or a newer version")
    elif asking.repo["has_actions"]:
        yield fine("actions", "Actions are switched on")
    else:
        step = Step("switch Actions on", lambda: _switch_actions_on(asking))
        yield error("actions", "Actions are switched off: nothing runs the referee", APPLY, step)


def _switch_actions_on(asking: Asking) -> None:
    reply = asking.client.write("PATCH", asking.at, {"has_actions": True})
    if isinstance(reply.data, Mapping) and not reply.data.get("has_actions"):
        hint = "ask whoever runs it, or run `moot referee --watch 60` on a machine of yours"
        raise fail("E-FORGE", "the forge did not switch Actions on: this server has them switched off", None, hint)


def runs(asking: Asking) -> Findings:
    """Look at the newest run of the referee."""
    found = asking.of("actions/tasks", "runs of jobs", {"limit": 50})
    ours = [run for run in found.get("workflow_runs") or () if run.get("workflow_id") == "referee.yml"]
    ended = [run for run in ours if run.get("status") not in ("cancelled", "skipped")]
    start = f"start it: {asking.place.home}/actions?workflow=referee.yml"
    if not ended:
        yield warning("referee-run", "the referee has not run lately", f"git push, or {start}")
    elif ended[0].get("status") == "failure":
        said = f"the newest run of the referee failed: {ended[0].get('url', '')}"
        yield error("referee-run", said, f"read why there, then {start}")
    else:
        yield fine("referee-run", f"the referee's newest run: {ended[0].get('status')}")


def _make_secret(asking: Asking) -> None:
    """Make a master secret for the dice, which nobody sees."""
    asking.client.write("PUT", f"{asking.at}/actions/secrets/{CHANCE}", {"data": make_master()})
    asking.place.remember("secret")


def protection(asking: Asking) -> Findings:
    """Look whether the branch is kept from being rewritten or deleted, while whoever may write may push."""
    body = {"rule_name": asking.branch, "branch_name": asking.branch, "enable_push": True}
    step = asking.step(f"forbid that {asking.branch} is rewritten or deleted", "POST", "branch_protections", body)
    yield forge.unprotected(asking, kept=_protection(asking) is not None, step=step)


def _protection(asking: Asking) -> Mapping[str, Any] | None:
    """Return the protection of the game's branch, None where it has none."""
    found = asking.of("branch_protections", "the protection of branches")
    return next((each for each in found if asking.branch in (each.get("rule_name"), each.get("branch_name"))), None)


def rules(asking: Asking) -> Findings:
    """Look whether the protection of the branch lets the referee push."""
    found, page, branch = _protection(asking), f"{asking.place.home}/settings/branches", asking.branch
    if found is None:
        return
    if stopping := _stopping(found):
        said = f"the protection of {branch} stops the referee's push: {listed(stopping)}"
        yield error("rules", said, f"let the account of {TOKEN} push, or all who may write: {page}")
        return
    listing = found.get("enable_push_whitelist") and not found.get("push_whitelist_teams")
    named = list(found.get("push_whitelist_usernames") or ()) if listing else []
    others = forge.strangers(asking) if named else []
    if others and not {each.lower() for each in others} & {each.lower() for each in named}:
        said = f"only {listed(named)} may push to {branch}, and the account of the referee must be one of them"
        yield warning("rules", f"{said}; is it {listed(others)}?", f"let it push: {page}")
    else:
        yield fine("rules", f"the referee may push to {branch}")


def _stopping(protection: Mapping[str, Any]) -> list[str]:
    """Return what of a protection stops a push of the referee's."""
    named, patterns = "push_whitelist_usernames", protection.get("protected_file_patterns")
    closed = not (protection.get(named) or protection.get("push_whitelist_deploy_keys"))
    off = {
        "nobody may push": not protection.get("enable_push"),
        "nobody is allowed to push": protection.get("enable_push_whitelist") and closed,
        "commits must be signed": protection.get("require_signed_commits"),
        f"some files are protected: {patterns}": patterns,
    }
    return [why for why, stops in off.items() if stops]


job_token = Setting(
    code="job-token",
    flaw=lambda asking: not asking.is_kept(TOKEN),
    fine=f"{TOKEN} is kept",
    wrong=f"there is no secret {TOKEN}: the referee's job has no token of an account of its own",
    mend=f"store the token of an account that may write here as {TOKEN}: {{home}}/settings/actions/secrets",
)
secret = partial(forge.secret, make=_make_secret)

GITEA: tuple[Check, ...] = (
    version,
    forge.default_branch,
    forge.issues,
    forge.label,
    forge.thread,
    merging,
    actions,
    runs,
    secret,
    forge.sealing,
    job_token,
    protection,
    rules,
    forge.writers,
    forge.locked,
)
"""What is looked at on Gitea and Forgejo, in this order, once it is known that the repository can be reached."""
SETTLED: tuple[Check, ...] = (merging, actions, forge.issues, forge.label, forge.thread, secret, protection)
"""What of it the API can put right, in an order in which each can be."""
