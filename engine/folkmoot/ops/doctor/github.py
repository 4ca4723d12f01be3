"""What is looked at on GitHub: a check of each setting, what is told of it, and what puts it right."""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from collections.abc import Mapping
from functools import partial
from typing import Any

from folkmoot.core.problems import fail
from folkmoot.forges.web.client import seconds_of
from folkmoot.forges.workflows import workflow_files
from folkmoot.game.secret_store import CHANCE, make_master
from folkmoot.ops.doctor import forge
from folkmoot.ops.doctor.findings import APPLY, Findings, error, fine, listed, unknown, warning
from folkmoot.ops.doctor.forge import ENVIRONMENT, TOKEN, Asking, Check, Setting, Unseen

DAY = 86_400
OLDEST_RUN = DAY
"""After so many seconds without a run of an awake game's referee something is wrong."""
LONGEST_RUN = 3_600
OUTSIDERS = "all_external_contributors"
FAILED = ("failure", "timed_out", "startup_failure")
HARMLESS = frozenset({"deletion", "non_fast_forward", "creation", "copilot_code_review", "code_scanning"})
"""The rules of a branch that let an ordinary push through."""
PROTECTING = ("deletion", "non_fast_forward")
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
    if not found["enabled"]:
        body = {"enabled": True, "allowed_actions": "all"}
        switch = asking.step("switch Actions on", "PUT", "actions/permissions", body)
        yield error("actions", "Actions are switched off: nothing runs the referee", APPLY, switch)
        return
    yield fine("actions", "Actions are switched on")
    allowed, chosen = found.get("allowed_actions", "all"), {"github_owned_allowed": True}
    allow = f"allow those made by GitHub: {asking.place.home}/settings/actions"
    if allowed == "selected":
        chosen = asking.of("actions/permissions/selected-actions", "which actions may run")
    if allowed == "local_only":
        yield error("actions-allowed", "only actions of this repository may run", allow)
    elif not chosen.get("github_owned_allowed"):
        yield error("actions-allowed", "actions made by GitHub may not run", allow)
    else:
        yield fine("actions-allowed", "the actions of the workflows may run")


def _excess(asking: Asking) -> str:
    """Return what a job may do that asks for nothing."""
    found = asking.of("actions/permissions/workflow", "what jobs may do by default")
    if found["can_approve_pull_request_reviews"]:
        return "approve pull requests"
    return "" if found["default_workflow_permissions"] == "read" else "write unless their workflow says less"


def workflow_states(asking: Asking) -> Findings:
    """Look whether the forge knows our workflows, and whether one of them is switched off.

    The clock is switched off by the referee itself while nothing is awake, which undoes it.
    """
    wanted = list(workflow_files("github"))
    known = {each["path"]: each for each in _workflows(asking) if each["state"] != "deleted"}
    missing = [path for path in wanted if path not in known]
    if missing:
        mend = f"moot init, then git push origin {asking.repo.get('default_branch')}"
        yield error("workflow-missing", f"not on the default branch: {listed(missing)}", mend)
    else:
        yield fine("workflow-missing", "the forge knows all workflows")
    off = [known[path] for path in wanted if path in known and known[path]["state"] != "active"]
    awake = any(game.awake for game in asking.place.met)
    for each in off:
        name, state = each["path"].rpartition("/")[2], each["state"]
        clock = name == "clock.yml"
        if state == "disabled_manually" and clock:
            continue
        enable = asking.step(f"switch {each['name']} on again", "PUT", f"actions/workflows/{each['id']}/enable")
        steps = [enable] if awake or not clock else []
        if state == "disabled_inactivity":
            why = f"{name} sleeps: GitHub switched it off, because nothing was committed for 60 days"
            asleep = fine("workflow-disabled", f"{why}; no game is awake", *steps)
            yield error("workflow-disabled", why, f"{APPLY} switches it on", *steps) if awake else asleep
            continue
        why = "forks have their workflows switched off" if state == "disabled_fork" else "somebody switched it off"
        yield error("workflow-disabled", f"{name} is switched off: {why}", f"{APPLY} switches it on", *steps)
    if not off:
        yield fine("workflow-disabled", "no workflow is switched off")


def _workflows(asking: Asking) -> list[Any]:
    return asking.all("actions/workflows", "the workflows", "workflows")


def _waiting(asking: Asking) -> str:
    """Return the runs of the game's own workflows that wait for approval; those of others may."""
    found = asking.of("actions/runs", "runs that wait for approval", {"status": "action_required", "per_page": 20})
    runs = [run for run in found["workflow_runs"] if _is_ours(run)]
    return f"{'runs wait' if len(runs) > 1 else 'a run waits'} for approval: {_addresses(runs)}" if runs else ""


def foreign_runs(asking: Asking) -> Findings:
    """Look whether a workflow runs that is not the game's: one of a pull request could hold the referee's queue."""
    found = asking.of("actions/runs", "runs that go on", {"status": "in_progress", "per_page": 50})["workflow_runs"]
    others = [run for run in found if run.get("event") == "pull_request" and not _is_ours(run)]
    if others:
        said = f"workflows of pull requests run here, which could hold the referee's queue: {_addresses(others)}"
        yield warning("foreign-runs", said, f"gh run cancel {others[0].get('id', '')}, unless you know what it is")
    else:
        yield fine("foreign-runs", "no workflow of a pull request runs")


def _is_ours(run: Mapping[str, Any]) -> bool:
    return str(run.get("path", "")).partition("@")[0] in workflow_files("github")


def _addresses(runs: list[dict[str, Any]]) -> str:
    return listed([str(run["html_url"]) for run in runs], most=3)


def _is_free_to_run(asking: Asking) -> bool:
    """Say whether workflows of outsiders run unasked; the game's, which a pull request starts, always do."""
    if asking.repo.get("private"):
        raise Unseen
    policy = asking.of("actions/permissions/fork-pr-contributor-approval", "whose runs wait for approval")
    return bool(policy["approval_policy"] != OUTSIDERS)


def referee_run(asking: Asking) -> Findings:
    """Look at the newest run of the referee."""
    run = _newest(asking, "referee.yml")
    if not run:
        mend = "gh workflow run referee, or Actions → referee → Run workflow"
        yield warning("referee-run", "the referee has never run", mend)
        return
    age, ended = asking.now - seconds_of(str(run["created_at"])), run["conclusion"] or ""
    if ended in (*FAILED, "action_required"):
        said = f"the newest run of the referee ended in {ended}: {run['html_url']}"
        yield error("referee-run", said, "read why there, then gh workflow run referee")
    elif not ended and age > LONGEST_RUN:
        said = f"the referee has been {run['status'] or 'waiting'} for {age // 60} minutes: {run['html_url']}"
        yield error("referee-run", said, f"gh run cancel {run.get('id', '')}, then gh workflow run referee")
    elif age > OLDEST_RUN and any(game.awake for game in asking.place.met) and not _rests(asking):
        said = f"the referee has not run for {age // DAY} days, though a game is awake"
        yield warning("referee-run", said, "moot init --apply, then gh workflow run referee")
    else:
        yield fine("referee-run", f"the referee's newest run: {ended or run['status']}")


def _rests(asking: Asking) -> bool:
    """Say whether the referee has switched the clock off, because nothing is due and nothing is open."""
    try:
        found = _workflows(asking)
    except Unseen:
        return False
    return any(each["path"].endswith("/clock.yml") and each["state"] == "disabled_manually" for each in found)


def publish_run(asking: Asking) -> Findings:
    """Look at the newest run that published the site."""
    run = _newest(asking, "publish.yml")
    if run and run["conclusion"] in FAILED:
        mend = "read why there, then gh workflow run publish"
        yield warning("publish-run", f"the site was not published: {run['html_url']}", mend)
    elif run:
        yield fine("publish-run", f"publishing: {run['conclusion'] or run['status']}")


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
    found, body = asking.find("pages", "where Pages come from"), {"build_type": "workflow"}
    if found is None:
        serve = asking.step("serve the site by Pages", "POST", "pages", body)
        yield warning("pages", "Pages are switched off: the site is built and not served", APPLY, serve)
    elif found.get("build_type") != "workflow":
        serve = asking.step("let Pages serve what the workflow builds", "PUT", "pages", body)
        yield error("pages", "Pages come from a branch, so the site of the workflow is not served", APPLY, serve)
    else:
        yield fine("pages", f"Pages come from the workflow, at {found.get('html_url')}")


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
    if found is None:
        yield error("environment", f"there is no environment `{ENVIRONMENT}` to keep secrets in", APPLY, *steps)
        return
    stops = {"required_reviewers": "somebody must approve it", "wait_timer": "it has to wait"}
    stopped = [stops[rule["type"]] for rule in found.get("protection_rules") or [] if rule.get("type") in stops]
    if stopped:
        said = f"the referee's job does not run by itself: {listed(stopped)}"
        yield error("environment", said, f"take those rules away: {page}")
    if not policy:
        said = f"any branch may use the environment `{ENVIRONMENT}`, and read its secrets"
        yield error("environment", said, APPLY, *steps)
    elif wanted not in names:
        yield error("environment", f"{wanted} may not use the environment `{ENVIRONMENT}`", APPLY, *steps)
    elif names != [wanted]:
        said = f"more than {wanted} may use the environment `{ENVIRONMENT}`: {listed(names)}"
        yield warning("environment", said, f"leave only {wanted}: {page}")
    elif not stopped:
        yield fine("environment", f"only {wanted} may use the environment `{ENVIRONMENT}`", *steps)


def _make_secret(asking: Asking) -> None:
    """Make a master secret for the dice, which nobody sees."""
    path = f"{asking.at}/environments/{ENVIRONMENT}/secrets"
    key = asking.client.get(f"{path}/public-key").data
    body = {"encrypted_value": sealed(make_master(), key["key"]), "key_id": key["key_id"]}
    asking.client.write("PUT", f"{path}/{CHANCE}", body)


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
    branch, own, home = asking.branch, asking.has_account(), asking.place.home
    found = _rules(asking)
    stopping = {str(rule["type"]) for rule in found if rule["type"] not in HARMLESS and not _bypassed(asking, rule)}
    stopping |= {name for name, stops in _classic(_protection(asking)).items() if stops}
    if stopping and not own:
        said = f"rules of {branch} stop the referee's push: {listed(sorted(stopping))}"
        mend = f"take them away, or let an app bypass them and store its token as {TOKEN}: {home}/settings/rules"
        yield error("rules", said, mend)
    elif stopping:
        said = f"rules of {branch} apply to everybody who may not bypass them: {listed(sorted(stopping))}"
        yield warning("rules", said, f"look whether whose token {TOKEN} is may bypass them: {home}/settings/rules")
    else:
        yield fine("rules", f"the referee may push to {branch}")


def protection(asking: Asking) -> Findings:
    """Look whether any rule keeps the branch from being rewritten; an ordinary push stays free."""
    ruled, old = {rule["type"] for rule in _rules(asking)}.issuperset(PROTECTING), _protection(asking)
    free = any((old.get(name) or {}).get("enabled") for name in ("allow_force_pushes", "allow_deletions"))
    step = asking.step(f"forbid that {asking.branch} is rewritten or deleted", "POST", "rulesets", RULESET)
    yield forge.unprotected(asking, kept=ruled or bool(old and not free), step=step)


def _rules(asking: Asking) -> list[Any]:
    return asking.all(f"rules/branches/{asking.branch}", "the rules of the branch")


def _protection(asking: Asking) -> Mapping[str, Any]:
    """Return the protection of the branch of the older kind, nothing where there is none, or it may not be seen."""
    return asking.ask(f"{asking.at}/branches/{asking.branch}/protection").data or {}


def _classic(protection: Mapping[str, Any]) -> dict[str, bool]:
    """Return what of a branch protection stops a push."""
    switches = ("required_signatures", "required_linear_history", "lock_branch")
    parts = ("required_pull_request_reviews", "required_status_checks", "restrictions")
    found = {name: bool((protection.get(name) or {}).get("enabled")) for name in switches}
    return found | {name: protection.get(name) is not None for name in parts}


def _bypassed(asking: Asking, rule: Mapping[str, Any]) -> bool:
    """Say whether an app or a deploy key may bypass the ruleset of a rule, where we have such a token in store."""
    number = rule.get("ruleset_id")
    ruleset = asking.ask(f"{asking.at}/rulesets/{number}").data if number else None
    actors = (ruleset or {}).get("bypass_actors") or []
    return asking.has_account() and any(
        actor.get("actor_type") in ("Integration", "DeployKey", "User") for actor in actors
    )


def writers(asking: Asking) -> Findings:
    """Look who can write, which GitHub tells administrators alone in full."""
    if not asking.administers:
        asking.unseen.append("who may write")
        return
    yield from forge.writers(asking)


def moot_refs(asking: Asking) -> Findings:
    """Look whether the branch comes from the commit up to which it is known to be play."""
    listing = asking.of("git/matching-refs/moot", "the referee's own refs")
    known, branch = {each["ref"]: each["object"]["sha"] for each in listing}.get("refs/moot/refereed"), asking.branch
    if known is None:
        yield fine("moot-refs", "no referee has been here yet")
        return
    told = asking.ask(f"{asking.at}/compare/{known}...{branch}", {"per_page": 1})
    if not told.known:
        yield unknown("moot-refs", f"the forge does not compare {known[:12]} with {branch}", "moot verify")
    elif told.data["status"] in ("diverged", "behind"):
        said = f"{branch} does not come from what was refereed ({known[:12]}): somebody rewrote it"
        yield error("moot-refs", said, "moot verify, then moot verify --repair")
    else:
        yield fine("moot-refs", f"{branch} comes from what was refereed")


job_rights = Setting(
    code="job-rights",
    flaw=_excess,
    fine="jobs may read, and more only where their workflow says so",
    wrong="jobs may {flaw}",
    state="warning",
    step=(
        "let jobs only read unless their workflow says more, and approve nothing",
        "PUT",
        "actions/permissions/workflow",
        FEW_RIGHTS,
    ),
)
waiting_runs = Setting(
    code="waiting-runs",
    flaw=_waiting,
    fine="no run of the game's workflows waits for approval",
    wrong="{flaw}",
    state="warning",
    mend="open each and press Approve and run: {home}/actions?query=is%3Aaction_required",
)
approval = Setting(
    code="approval",
    flaw=_is_free_to_run,
    fine="workflows that outsiders bring wait for approval",
    wrong="whoever had one pull request merged may run workflows of their own here, and hold the referee's queue",
    state="warning",
    mend="choose all external contributors: {home}/settings/actions",
)
secret = partial(forge.secret, make=_make_secret)

GITHUB: tuple[Check, ...] = (
    forge.default_branch,
    forge.issues,
    forge.label,
    forge.thread,
    actions,
    job_rights,
    workflow_states,
    waiting_runs,
    foreign_runs,
    approval,
    referee_run,
    publish_run,
    pages,
    environment,
    secret,
    forge.sealing,
    rules,
    protection,
    writers,
    forge.locked,
    moot_refs,
)
"""What is looked at on GitHub, in this order, once it is known that the repository can be reached."""
SETTLED: tuple[Check, ...] = (
    *(forge.issues, forge.label, forge.thread, actions, job_rights),
    *(environment, secret, pages, protection, workflow_states),
)
"""What of it the API can put right, in an order in which each can be."""
