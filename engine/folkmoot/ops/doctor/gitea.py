"""What is looked at on Gitea and Forgejo: a check of each setting, what is told of it, and what puts it right."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from folkmoot.core.problems import fail
from folkmoot.forges.workflows import FOLDERS, FORGEJOS
from folkmoot.game.secret_store import CHANCE, make_master
from folkmoot.ops.doctor import forge
from folkmoot.ops.doctor.findings import APPLY, Finding, Findings, Step, judged, listed
from folkmoot.ops.doctor.forge import TOKEN, Asking, Check
from folkmoot.ops.doctor.repository_files import only_forgejos

OLDEST = {"gitea": (1, 21), "forgejo": (7, 0)}
NARROWED = (1, 26)
"""Since this version of Gitea a job has only the rights that its workflow asks for."""
_OWN_VERSION = "../forgejo/v1/version"
MERGING = ("has_pull_requests", "allow_manual_merge", "autodetect_manual_merge")
"""The settings without which a pushed merge is not seen as one; only together do they take effect."""
NOTICED = "moot.merging"
"""The setting of git by which a clone remembers where it made them, which not every version of the forge tells."""


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
        yield Finding("files", "error", why, f"{moved} && git commit -m 'Move the jobs' && git push")
    oldest = ".".join(map(str, OLDEST[kind]))
    name = f"{kind.capitalize()} {said}"
    update = f"update it to {oldest} or newer"
    yield judged("version", name, (number < OLDEST[kind], "warning", f"{name} is old", update))
    if kind == "gitea" and OLDEST[kind] <= number < NARROWED:
        why = f"on {name} the token of every job may write here, whatever its workflow asks for"
        mend = f"let players work in forks, and update it: {place.home}/settings/collaboration"
        yield Finding("job-rights", "warning", why, mend)


def merging(asking: Asking) -> Findings:
    """Look whether the forge notices merges that are pushed; what it does not tell is remembered in the clone."""
    repo, home = asking.place.repo, asking.place.home
    made_here = repo is not None and NOTICED in repo.config and repo.config[NOTICED] == home
    off, untold = ([name for name in MERGING if asking.repo.get(name) is state] for state in (False, None))
    step = Step("let the forge notice merges that are pushed", lambda: _let_merges_be_noticed(asking))
    said = "this version does not tell whether it notices merges that are pushed"
    how = "`moot init --apply` sees to it, and without it adopted pull requests are closed with a link"
    yield judged(
        "merging", "the forge notices merges that are pushed",
        (off, "error", f"merges that are pushed are not seen: {listed(off)} switched off", APPLY, step),
        (untold and not made_here, "ok", f"{said}; {how}", "", step),
        (untold, "ok", said, ""),
    )  # fmt: skip


def _let_merges_be_noticed(asking: Asking) -> None:
    asking.client.write("PATCH", asking.at, dict.fromkeys(MERGING, True))
    if asking.place.repo is not None:
        asking.place.repo.config[NOTICED] = asking.place.home


def actions(asking: Asking) -> Findings:
    """Look whether jobs are switched on; a server that has none does not speak of them."""
    known = asking.repo.get("has_actions")
    step = Step("switch Actions on", lambda: _switch_actions_on(asking))
    yield judged(
        "actions", "Actions are switched on",
        (known is None, "warning", "this version of the forge has no Actions: nothing runs the referee but you",
         "`moot referee --watch 60` on a machine of yours, or a newer version"),
        (not known, "error", "Actions are switched off: nothing runs the referee", APPLY, step),
    )  # fmt: skip


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
    newest = ended[0] if ended else {}
    start = f"start it: {asking.place.home}/actions?workflow=referee.yml"
    yield judged(
        "referee-run", f"the referee's newest run: {newest.get('status')}",
        (not newest, "warning", "the referee has not run lately", f"git push, or {start}"),
        (newest.get("status") == "failure", "error", f"the newest run of the referee failed: {newest.get('url', '')}",
         f"read why there, then {start}"),
    )  # fmt: skip


def job_token(asking: Asking) -> Findings:
    """Look whether the referee's job has a token."""
    lacks = f"there is no secret {TOKEN}: the referee's job has no token of an account of its own"
    mend = f"store the token of an account that may write here as {TOKEN}: {asking.place.home}/{forge.SECRETS['gitea']}"
    yield judged("job-token", f"{TOKEN} is kept", (not asking.is_kept(TOKEN), "error", lacks, mend))


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
    found, branch = _protection(asking), asking.branch
    if found is None:
        return
    patterns = found.get("protected_file_patterns")
    named = found.get("push_whitelist_usernames") or found.get("push_whitelist_deploy_keys")
    off = {
        "nobody may push": not found.get("enable_push"),
        "nobody is allowed to push": found.get("enable_push_whitelist") and not named,
        "commits must be signed": found.get("require_signed_commits"),
        f"some files are protected: {patterns}": patterns,
    }
    stopping = [why for why, stops in off.items() if stops]
    yield judged(
        "rules", f"the referee may push to {branch}",
        (stopping, "error", f"the protection of {branch} stops the referee's push: {listed(stopping)}",
         f"let the account of {TOKEN} push, or all who may write: {asking.place.home}/settings/branches"),
    )  # fmt: skip


def secret(asking: Asking) -> Findings:
    """Look whether the secret of the dice is there; one that is made is seen by nobody."""
    path = f"{asking.at}/actions/secrets/{CHANCE}"
    yield from forge.secret(asking, lambda: asking.client.write("PUT", path, {"data": make_master()}))


GITEA: tuple[Check, ...] = (
    *(version, forge.default_branch, forge.issues, forge.label, forge.thread, merging, actions, runs),
    *(secret, forge.sealing, job_token, protection, rules, forge.writers),
)
"""What is looked at on Gitea and Forgejo, in this order, once it is known that the repository can be reached."""
SETTLED: tuple[Check, ...] = (merging, actions, forge.issues, forge.label, forge.thread, secret, protection)
"""What of it the API can put right, in an order in which each can be."""
