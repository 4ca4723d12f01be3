"""What is looked at on GitHub: a check of each setting, what is told of it, and what puts it right."""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from collections.abc import Mapping
from typing import Any

from folkmoot.core.problems import fail
from folkmoot.forges.web.client import seconds_of
from folkmoot.forges.workflows import workflow_files
from folkmoot.game.secret_store import CHANCE, make_master
from folkmoot.ops.doctor import forge
from folkmoot.ops.doctor.findings import APPLY, Finding, Findings, judged, listed
from folkmoot.ops.doctor.forge import ENVIRONMENT, TOKEN, Asking, Check, Unseen

DAY = 86_400
OLDEST_RUN = DAY
"""After so many seconds without a run of an awake game's referee something is wrong."""
LONGEST_RUN = 3_600
OUTSIDERS = "all_external_contributors"
FAILED = ("failure", "timed_out", "startup_failure", "action_required")
HARMLESS = frozenset({"deletion", "non_fast_forward", "creation", "copilot_code_review", "code_scanning"})
"""The rules of a branch that let an ordinary push through."""
PROTECTING = ("deletion", "non_fast_forward")
SWITCHES = ("required_signatures", "required_linear_history", "lock_branch")
PARTS = ("required_pull_request_reviews", "required_status_checks", "restrictions")
"""What of a branch protection of the older kind stops a push: where it is switched on, and where it is there."""
RULESET = {
    "name": "Folkmoot: the game's branch is not rewritten",
    "target": "branch",
    "enforcement": "active",
    "conditions": {"ref_name": {"include": ["~DEFAULT_BRANCH"], "exclude": []}},
    "rules": [{"type": kind} for kind in PROTECTING],
}
FEW_RIGHTS = {"default_workflow_permissions": "read", "can_approve_pull_request_reviews": False}


def actions(asking: Asking) -> Findings:
    """Look whether jobs run, and which actions they may use."""
    found = asking.of("actions/permissions", "whether jobs are switched on")
    body = {"enabled": True, "allowed_actions": "all"}
    switch = asking.step("switch Actions on", "PUT", "actions/permissions", body)
    off = "Actions are switched off: nothing runs the referee"
    yield judged("actions", "Actions are switched on", (not found["enabled"], "error", off, APPLY, switch))
    if not found["enabled"]:
        return
    allowed, chosen = found.get("allowed_actions", "all"), {"github_owned_allowed": True}
    if allowed == "selected":
        chosen = asking.of("actions/permissions/selected-actions", "which actions may run")
    stopped = allowed == "local_only" or not chosen.get("github_owned_allowed")
    allow = f"allow those made by GitHub: {asking.place.home}/settings/actions"
    said = "actions made by GitHub may not run"
    yield judged("actions-allowed", "the actions of the workflows may run", (stopped, "error", said, allow))


def job_rights(asking: Asking) -> Findings:
    """Look what a job may do that asks for nothing."""
    path = "actions/permissions/workflow"
    found = asking.of(path, "what jobs may do by default")
    what = "let jobs only read unless their workflow says more, and approve nothing"
    step = asking.step(what, "PUT", path, FEW_RIGHTS)
    writing = found["default_workflow_permissions"] != "read"
    yield judged(
        "job-rights", "jobs may read, and more only where their workflow says so",
        (found["can_approve_pull_request_reviews"], "warning", "jobs may approve pull requests", APPLY, step),
        (writing, "warning", "jobs may write unless their workflow says less", APPLY, step),
    )  # fmt: skip


def workflow_states(asking: Asking) -> Findings:
    """Look whether the forge knows our workflows, and whether one of them is switched off.

    The clock is switched off by the referee itself while nothing is awake, which undoes it.
    """
    wanted = list(workflow_files("github"))
    known = {each["path"]: each for each in _workflows(asking) if each["state"] != "deleted"}
    missing = [path for path in wanted if path not in known]
    mend = f"moot init, then git push origin {asking.repo.get('default_branch')}"
    yield judged(
        "workflow-missing", "the forge knows all workflows",
        (missing, "error", f"not on the default branch: {listed(missing)}", mend),
    )  # fmt: skip
    awake = any(game.awake for game in asking.place.met)
    for each in (known[path] for path in wanted if path in known and known[path]["state"] != "active"):
        name, state = each["path"].rpartition("/")[2], each["state"]
        clock = name == "clock.yml"
        if clock and (state == "disabled_manually" or not awake):
            continue
        asleep = state == "disabled_inactivity" and not awake
        said = f"{name} is switched off on the forge ({state.removeprefix('disabled_')})"
        enable = asking.step(f"switch {each['name']} on again", "PUT", f"actions/workflows/{each['id']}/enable")
        mend = "" if asleep else f"{APPLY} switches it on"
        yield Finding("workflow-disabled", "ok" if asleep else "error", said, mend, (enable,))


def _workflows(asking: Asking) -> list[Any]:
    return list(asking.of("actions/workflows", "the workflows", every="workflows"))


def foreign_runs(asking: Asking) -> Findings:
    """Look whether a workflow runs that is not the game's: one of a pull request could hold the referee's queue."""
    found = asking.of("actions/runs", "runs that go on", {"status": "in_progress", "per_page": 50})["workflow_runs"]
    runs = [run for run in found if run.get("event") == "pull_request"]
    ours = workflow_files("github")
    foreign = [run for run in runs if str(run.get("path", "")).partition("@")[0] not in ours]
    others = listed((str(run["html_url"]) for run in foreign), most=3)
    yield judged(
        "foreign-runs", "no workflow of a pull request runs",
        (others, "warning",
         f"workflows of pull requests run here, which could hold the referee's queue: {others}",
         "cancel what you do not know: gh run cancel NUMBER"),
    )  # fmt: skip


def approval(asking: Asking) -> Findings:
    """Look whether workflows of outsiders run unasked; the game's, which a pull request starts, always do."""
    if asking.repo.get("private"):
        return
    policy = asking.of("actions/permissions/fork-pr-contributor-approval", "whose runs wait for approval")
    yield judged(
        "approval", "workflows that outsiders bring wait for approval",
        (policy["approval_policy"] != OUTSIDERS, "warning",
         "whoever had one pull request merged may run workflows of their own here, and hold the referee's queue",
         f"choose all external contributors: {asking.place.home}/settings/actions"),
    )  # fmt: skip


def referee_run(asking: Asking) -> Findings:
    """Look at the newest run of the referee; where it has switched the clock off, because nothing is due, it rests."""
    run, start = _newest(asking, "referee.yml"), "gh workflow run referee"
    if not run:
        yield Finding("referee-run", "warning", "the referee has never run", start)
        return
    age, ended = asking.now - seconds_of(str(run["created_at"])), run["conclusion"] or ""
    late = age > OLDEST_RUN and any(game.awake for game in asking.place.met) and not _rests(asking)
    yield judged(
        "referee-run", f"the referee's newest run: {ended or run['status']}",
        (ended in FAILED, "error", f"the newest run of the referee ended in {ended}: {run['html_url']}",
         f"read why there, then {start}"),
        (not ended and age > LONGEST_RUN, "error",
         f"the referee has been {run['status'] or 'waiting'} for {age // 60} minutes: {run['html_url']}",
         f"gh run cancel {run.get('id', '')}, then {start}"),
        (late, "warning", f"the referee has not run for {age // DAY} days, though a game is awake",
         f"{APPLY}, then {start}"),
    )  # fmt: skip


def _rests(asking: Asking) -> bool:
    try:
        found = _workflows(asking)
    except Unseen:
        return False
    return any(each["path"].endswith("/clock.yml") and each["state"] == "disabled_manually" for each in found)


def publish_run(asking: Asking) -> Findings:
    """Look at the newest run that published the site."""
    run = _newest(asking, "publish.yml")
    if run:
        yield judged(
            "publish-run", f"publishing: {run['conclusion'] or run['status']}",
            (run["conclusion"] in FAILED, "warning", f"the site was not published: {run['html_url']}",
             "read why there, then gh workflow run publish"),
        )  # fmt: skip


def _newest(asking: Asking, workflow: str) -> dict[str, Any]:
    """Return the newest run of a workflow that counts, an empty one if there is none; raises Unseen."""
    told = asking.ask(f"{asking.at}/actions/workflows/{workflow}/runs", {"per_page": 10})
    if not told.known:
        if told.status != 404:
            asking.unseen.append(f"runs of {workflow}")
        raise Unseen
    runs = [run for run in told.data["workflow_runs"] if run["conclusion"] not in ("cancelled", "skipped")]
    return dict(max(runs, key=lambda run: str(run["created_at"]))) if runs else {}


def pages(asking: Asking) -> Findings:
    """Look where the site comes from."""
    found = asking.find("pages", "where Pages come from")
    method, body = "POST" if found is None else "PUT", {"build_type": "workflow"}
    serve = asking.step("let Pages serve what the workflow builds", method, "pages", body)
    known = found or {}
    yield judged(
        "pages", f"Pages come from the workflow, at {known.get('html_url')}",
        (found is None, "warning", "Pages are switched off: the site is built and not served", APPLY, serve),
        (known.get("build_type") != "workflow", "error",
         "Pages come from a branch, so the site of the workflow is not served", APPLY, serve),
    )  # fmt: skip


def environment(asking: Asking) -> Findings:
    """Look whether the environment of the referee is restricted to the game's branch, and lets it run."""
    path, page = f"environments/{ENVIRONMENT}", f"{asking.place.home}/settings/environments"
    wanted, found = asking.branch, asking.find(path, "the environment of the referee")
    policy, names = (found or {}).get("deployment_branch_policy") or {}, [wanted]
    steps = []
    if policy.get("custom_branch_policies"):
        listing = asking.of(f"{path}/deployment-branch-policies", "the branches of the environment")
        names = [str(each.get("name")) for each in listing["branch_policies"]]
    else:
        body = {"deployment_branch_policy": {"protected_branches": False, "custom_branch_policies": True}}
        steps.append(asking.step(f"make the environment `{ENVIRONMENT}` for chosen branches", "PUT", path, body))
    if steps or wanted not in names:
        what = f"let {wanted} use the environment `{ENVIRONMENT}`"
        steps.append(asking.step(what, "POST", f"{path}/deployment-branch-policies", {"name": wanted}))
    rules = [str(rule.get("type")) for rule in (found or {}).get("protection_rules") or ()]
    stopped = [kind for kind in rules if kind in ("required_reviewers", "wait_timer")]
    yield judged(
        "environment", f"only {wanted} may use the environment `{ENVIRONMENT}`",
        (found is None, "error", f"there is no environment `{ENVIRONMENT}` to keep secrets in", APPLY, *steps),
        (not policy, "error", f"any branch may use the environment `{ENVIRONMENT}`, and read its secrets",
         APPLY, *steps),
        (wanted not in names, "error", f"{wanted} may not use the environment `{ENVIRONMENT}`", APPLY, *steps),
        (stopped, "error", f"the referee's job has to wait, or for somebody's approval: {listed(stopped)}",
         f"take those rules away: {page}", *steps),
        (names != [wanted], "warning", f"more than {wanted} may use the environment `{ENVIRONMENT}`: {listed(names)}",
         f"leave only {wanted}: {page}"),
        (steps, "ok", f"only protected branches may use the environment `{ENVIRONMENT}`", "", *steps),
    )  # fmt: skip


def secret(asking: Asking) -> Findings:
    """Look whether the secret of the dice is there; one that is made is seen by nobody."""

    def make() -> None:
        path = f"{asking.at}/environments/{ENVIRONMENT}/secrets"
        key = asking.client.get(f"{path}/public-key").data
        body = {"encrypted_value": sealed(make_master(), key["key"]), "key_id": key["key_id"]}
        asking.client.write("PUT", f"{path}/{CHANCE}", body)

    yield from forge.secret(asking, make)


def sealed(secret: str, key: str) -> str:
    """Return a secret sealed to a public key (base64, 32 bytes), as base64; raises E-FORGE for what is no key."""
    from nacl.public import PublicKey, SealedBox  # loaded where a secret is stored, and nowhere else

    try:
        box = SealedBox(PublicKey(b64decode(key, validate=True)))
    except (binascii.Error, ValueError, TypeError):
        raise fail("E-FORGE", "the forge names no key to which a secret can be sealed", None, "run it again") from None
    return b64encode(box.encrypt(secret.encode())).decode()


def rules(asking: Asking) -> Findings:
    """Look whether rules stop the referee's push."""
    branch, own, page = asking.branch, asking.has_account(), f"{asking.place.home}/settings/rules"
    found = _rules(asking)
    stopping = {str(rule["type"]) for rule in found if rule["type"] not in HARMLESS and not _bypassed(asking, rule)}
    old = _protection(asking)
    stopping |= {name for name in SWITCHES if (old.get(name) or {}).get("enabled")}
    stopping |= {name for name in PARTS if old.get(name) is not None}
    told = listed(sorted(stopping))
    yield judged(
        "rules", f"the referee may push to {branch}",
        (stopping and not own, "error", f"rules of {branch} stop the referee's push: {told}",
         f"take them away, or let an app bypass them and store its token as {TOKEN}: {page}"),
        (stopping, "warning", f"rules of {branch} apply to everybody who may not bypass them: {told}",
         f"look whether whose token {TOKEN} is may bypass them: {page}"),
    )  # fmt: skip


def protection(asking: Asking) -> Findings:
    """Look whether any rule keeps the branch from being rewritten; an ordinary push stays free."""
    ruled, old = {rule["type"] for rule in _rules(asking)}.issuperset(PROTECTING), _protection(asking)
    free = any((old.get(name) or {}).get("enabled") for name in ("allow_force_pushes", "allow_deletions"))
    step = asking.step(f"forbid that {asking.branch} is rewritten or deleted", "POST", "rulesets", RULESET)
    yield forge.unprotected(asking, kept=ruled or bool(old and not free), step=step)


def _rules(asking: Asking) -> list[Any]:
    return list(asking.of(f"rules/branches/{asking.branch}", "the rules of the branch", every=""))


def _protection(asking: Asking) -> Mapping[str, Any]:
    """Return the protection of the branch of the older kind, nothing where there is none, or it may not be seen."""
    return asking.ask(f"{asking.at}/branches/{asking.branch}/protection").data or {}


def _bypassed(asking: Asking, rule: Mapping[str, Any]) -> bool:
    """Say whether an app or a deploy key may bypass the ruleset of a rule, where we have such a token in store."""
    number = rule.get("ruleset_id")
    ruleset = asking.ask(f"{asking.at}/rulesets/{number}").data if number else None
    kinds = {actor.get("actor_type") for actor in (ruleset or {}).get("bypass_actors") or ()}
    return asking.has_account() and not kinds.isdisjoint({"Integration", "DeployKey", "User"})


GITHUB: tuple[Check, ...] = (
    *(forge.default_branch, forge.issues, forge.label, forge.thread, actions, job_rights, workflow_states),
    *(foreign_runs, approval, referee_run, publish_run, pages, environment, secret, forge.sealing),
    *(rules, protection, forge.writers),
)
"""What is looked at on GitHub, in this order, once it is known that the repository can be reached."""
SETTLED: tuple[Check, ...] = (
    *(forge.issues, forge.label, forge.thread, actions, job_rights),
    *(environment, secret, pages, protection, workflow_states),
)
"""What of it the API can put right, in an order in which each can be."""
