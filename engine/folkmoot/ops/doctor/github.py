"""What can be found out on GitHub: each check asks for one setting and says what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from folkmoot.forges.web.client import seconds_of
from folkmoot.forges.workflows import workflow_files
from folkmoot.game.secret_store import CHANCE, SEALING
from folkmoot.ops.doctor.findings import Finding, Findings, error, fine, listed, unknown, warning
from folkmoot.ops.doctor.forge_checks import (
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

ENVIRONMENT = "referee"
DAY = 86_400
OLDEST_RUN = DAY
"""After so many seconds without a run of an awake game's referee something is wrong."""
LONGEST_RUN = 3_600
OUTSIDERS = "all_external_contributors"
HARMLESS = frozenset({"deletion", "non_fast_forward", "creation", "copilot_code_review", "code_scanning"})
"""The rules of a branch that let an ordinary push through."""


def actions(asking: Asking, place: Place, now: int) -> Findings:
    """Look whether jobs run, and which actions they may use."""
    found = asking.of("actions/permissions", "whether jobs are switched on")
    if not found["enabled"]:
        yield error("actions", "Actions are switched off: nothing runs the referee", "moot init --apply")
        return
    yield fine("actions", "Actions are switched on")
    allowed, chosen = found.get("allowed_actions", "all"), {"github_owned_allowed": True}
    allow = f"allow those made by GitHub: {place.home}/settings/actions"
    if allowed == "selected":
        chosen = asking.of("actions/permissions/selected-actions", "which actions may run")
    if allowed == "local_only":
        yield error("actions-allowed", "only actions of this repository may run", allow)
    elif not chosen.get("github_owned_allowed"):
        yield error("actions-allowed", "actions made by GitHub may not run", allow)
    else:
        yield fine("actions-allowed", "the actions of the workflows may run")


def job_rights(asking: Asking, place: Place, now: int) -> Findings:
    """Look what a job may do that asks for nothing."""
    found = asking.of("actions/permissions/workflow", "what jobs may do by default")
    if found["can_approve_pull_request_reviews"]:
        yield warning("job-rights", "jobs may approve pull requests", "moot init --apply")
    elif found["default_workflow_permissions"] != "read":
        yield warning("job-rights", "jobs may write unless their workflow says less", "moot init --apply")
    else:
        yield fine("job-rights", "jobs may read, and more only where their workflow says so")


def workflow_states(asking: Asking, place: Place, now: int) -> Findings:
    """Look whether the forge knows our workflows, and whether one of them is switched off."""
    found = asking.all("actions/workflows", "the workflows", "workflows")
    wanted = list(workflow_files("github"))
    states = {each["path"]: each["state"] for each in found if each["state"] != "deleted"}
    missing = [path for path in wanted if path not in states]
    if missing:
        yield error(
            "workflow-missing",
            f"not on the default branch: {listed(missing)}",
            f"moot init, then git push origin {asking.repo.get('default_branch')}",
        )
    else:
        yield fine("workflow-missing", "the forge knows all workflows")
    off = {path: states[path] for path in wanted if states.get(path, "active") != "active"}
    awake = any(game.awake for game in place.met)
    for path, state in off.items():
        name = path.rpartition("/")[2]
        if state == "disabled_manually" and name == "clock.yml":
            continue  # the referee does that itself while nothing is awake, and undoes it
        if state == "disabled_inactivity":
            why = "GitHub switched it off, because nothing was committed for 60 days"
            if awake:
                yield error("workflow-disabled", f"{name} sleeps: {why}", "moot init --apply switches it on")
            continue
        why = {"disabled_fork": "forks have their workflows switched off"}.get(state, "somebody switched it off")
        yield error("workflow-disabled", f"{name} is switched off: {why}", "moot init --apply switches it on")
    if not off:
        yield fine("workflow-disabled", "no workflow is switched off")


def waiting_runs(asking: Asking, place: Place, now: int) -> Findings:
    """Look whether runs of the game's own workflows wait for approval; those of others may."""
    found = asking.of("actions/runs", "runs that wait for approval", {"status": "action_required", "per_page": 20})
    runs = [run for run in found["workflow_runs"] if _is_ours(run)]
    if not runs:
        yield fine("waiting-runs", "no run of the game's workflows waits for approval")
        return
    yield warning(
        "waiting-runs",
        f"{'runs wait' if len(runs) > 1 else 'a run waits'} for approval: {_addresses(runs)}",
        f"open each and press Approve and run: {place.home}/actions?query=is%3Aaction_required",
    )


def foreign_runs(asking: Asking, place: Place, now: int) -> Findings:
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


def approval(asking: Asking, place: Place, now: int) -> Findings:
    """Look whose own workflows wait for approval: the game's, which a pull request starts, never do."""
    if asking.repo.get("private"):
        return
    policy = asking.of("actions/permissions/fork-pr-contributor-approval", "whose runs wait for approval")
    if policy["approval_policy"] == OUTSIDERS:
        yield fine("approval", "workflows that outsiders bring wait for approval")
    else:
        said = "whoever had one pull request merged may run workflows of their own here, and hold the referee's queue"
        yield warning("approval", said, f"choose all external contributors: {place.home}/settings/actions")


def referee_run(asking: Asking, place: Place, now: int) -> Findings:
    """Look at the newest run of the referee."""
    run = _newest(asking, "referee.yml")
    if run is None:
        return
    if not run:
        mend = "gh workflow run referee, or Actions → referee → Run workflow"
        yield warning("referee-run", "the referee has never run", mend)
        return
    age = now - seconds_of(str(run["created_at"]))
    awake = any(game.awake for game in place.met) and not _rests(asking)
    ended = run["conclusion"] or ""
    if ended in ("failure", "timed_out", "startup_failure", "action_required"):
        yield error(
            "referee-run",
            f"the newest run of the referee ended in {ended}: {run['html_url']}",
            "read why there, then gh workflow run referee",
        )
    elif not ended and age > LONGEST_RUN:
        said = f"the referee has been {run['status'] or 'waiting'} for {age // 60} minutes: {run['html_url']}"
        yield error("referee-run", said, f"gh run cancel {run.get('id', '')}, then gh workflow run referee")
    elif awake and age > OLDEST_RUN:
        said = f"the referee has not run for {age // DAY} days, though a game is awake"
        yield warning("referee-run", said, "moot init --apply, then gh workflow run referee")
    else:
        yield fine("referee-run", f"the referee's newest run: {ended or run['status']}")


def _rests(asking: Asking) -> bool:
    """Say whether the referee has switched the clock off, because nothing is due and nothing is open."""
    try:
        found = asking.all("actions/workflows", "the workflows", "workflows")
    except Unseen:
        return False
    return any(each["path"].endswith("/clock.yml") and each["state"] == "disabled_manually" for each in found)


def publish_run(asking: Asking, place: Place, now: int) -> Findings:
    """Look at the newest run that published the site."""
    run = _newest(asking, "publish.yml")
    if not run:
        return
    if run["conclusion"] in ("failure", "timed_out", "startup_failure"):
        yield warning(
            "publish-run",
            f"the site was not published: {run['html_url']}",
            "read why there, then gh workflow run publish",
        )
    else:
        yield fine("publish-run", f"publishing: {run['conclusion'] or run['status']}")


def _newest(asking: Asking, workflow: str) -> dict[str, Any] | None:
    """Return the newest run of a workflow that counts, an empty one if there is none, None where nobody may know."""
    told = asking.ask(f"{asking.place}/actions/workflows/{workflow}/runs", {"per_page": 10})
    if not told.known:
        if told.status != 404:
            asking.unseen.append(f"runs of {workflow}")
        return None
    runs = [run for run in told.data["workflow_runs"] if run["conclusion"] not in ("cancelled", "skipped")]
    return dict(max(runs, key=lambda run: str(run["created_at"]))) if runs else {}


def pages(asking: Asking, place: Place, now: int) -> Findings:
    """Look where the site comes from."""
    found = asking.find("pages", "where Pages come from")
    if found is None:
        yield warning("pages", "Pages are switched off: the site is built and not served", "moot init --apply")
    elif found.get("build_type") != "workflow":
        yield error("pages", "Pages come from a branch, so the site of the workflow is not served", "moot init --apply")
    else:
        yield fine("pages", f"Pages come from the workflow, at {found.get('html_url')}")


def environment(asking: Asking, place: Place, now: int) -> Findings:
    """Look whether the environment of the referee is restricted to the game's branch, and lets it run."""
    found = asking.find(f"environments/{ENVIRONMENT}", "the environment of the referee")
    if found is None:
        yield error("environment", f"there is no environment `{ENVIRONMENT}` to keep secrets in", "moot init --apply")
        return
    rules = found.get("protection_rules") or []
    stops = {"required_reviewers": "somebody must approve it", "wait_timer": "it has to wait"}
    stopped = [stops[rule["type"]] for rule in rules if rule.get("type") in stops]
    if stopped:
        said = f"the referee's job does not run by itself: {listed(stopped)}"
        yield error("environment", said, f"take those rules away: {place.home}/settings/environments")
    wanted = asking.repo.get("default_branch")
    policy = found.get("deployment_branch_policy")
    if not policy:
        said = f"any branch may use the environment `{ENVIRONMENT}`, and read its secrets"
        yield error("environment", said, "moot init --apply")
        return
    names = [wanted]
    if policy.get("custom_branch_policies"):
        listing = asking.of(f"environments/{ENVIRONMENT}/deployment-branch-policies", "the branches of the environment")
        names = [each.get("name") for each in listing["branch_policies"]]
    if wanted not in names:
        yield error("environment", f"{wanted} may not use the environment `{ENVIRONMENT}`", "moot init --apply")
    elif names != [wanted]:
        said = f"more than {wanted} may use the environment `{ENVIRONMENT}`: {listed(map(str, names))}"
        yield warning("environment", said, f"leave only {wanted}: {place.home}/settings/environments")
    elif not stopped:
        yield fine("environment", f"only {wanted} may use the environment `{ENVIRONMENT}`")


def secret(asking: Asking, place: Place, now: int) -> Findings:
    """Look whether the secret of the dice is there where an epoch is open, and kept where it belongs."""
    whole = asking.find(f"actions/secrets/{CHANCE}", "the secrets of the repository")
    own = asking.find(f"environments/{ENVIRONMENT}/secrets/{CHANCE}", "the secrets of the environment")
    opened = [game.name for game in place.met if game.chance.get("commitment")]
    if own is None and whole is None:
        if opened:
            said = f"{listed(opened)} throws dice by a secret, and {CHANCE} is not there: the referee stops"
            mend = "moot key --dice | gh secret set FOLKMOOT_CHANCE --env referee"
            yield error("secret", said, f'{mend}; if the old one is lost: /do abandon_epoch why="…"')
        else:
            yield fine("secret", f"there is no {CHANCE}, and no game throws dice by it")
    elif whole is not None:
        yield _of_all("secret", CHANCE, place)
    else:
        yield fine("secret", f"{CHANCE} is kept in the environment `{ENVIRONMENT}`")


def _of_all(code: str, name: str, place: Place) -> Finding:
    said = f"{name} is a secret of the whole repository, so that every workflow can read it"
    return warning(code, said, f"store it there: {place.home}/settings/environments; then gh secret delete {name}")


def sealing(asking: Asking, place: Place, now: int) -> Findings:
    """Look whether the keys of a keeper are there where something is sealed to them, and kept where they belong."""
    sealed = [game.name for game in place.met if game.is_sealing]
    if not sealed:
        return
    if asking.find(f"actions/secrets/{SEALING}", "the secrets of the repository") is not None:
        yield _of_all("sealing", SEALING, place)
    elif asking.find(f"environments/{ENVIRONMENT}/secrets/{SEALING}", "the secrets of the environment") is None:
        yield from keeper_is_missing(sealed)
    else:
        yield fine("sealing", f"{SEALING} is kept in the environment `{ENVIRONMENT}`")


def rules(asking: Asking, place: Place, now: int) -> Findings:
    """Look whether rules stop the referee's push, and whether any keeps the branch from being rewritten."""
    branch = asking.repo.get("default_branch")
    found = asking.all(f"rules/branches/{branch}", "the rules of the branch")
    old = asking.ask(f"{asking.place}/branches/{branch}/protection")
    classic = _classic(old.data) if old.known else {}
    stopping = {str(rule["type"]) for rule in found if rule["type"] not in HARMLESS and not _bypassed(asking, rule)}
    stopping |= {name for name, stops in classic.items() if stops}
    own = asking.ask(f"{asking.place}/environments/{ENVIRONMENT}/secrets/{TOKEN}").known
    if stopping and not own:
        said = f"rules of {branch} stop the referee's push: {listed(sorted(stopping))}"
        yield error(
            "rules",
            said,
            f"take them away, or let an app bypass them and store its token as {TOKEN}: {place.home}/settings/rules",
        )
    elif stopping:
        said = f"rules of {branch} apply to everybody who may not bypass them: {listed(sorted(stopping))}"
        yield warning(
            "rules", said, f"look whether whose token {TOKEN} is may bypass them: {place.home}/settings/rules"
        )
    else:
        yield fine("rules", f"the referee may push to {branch}")
    kinds = {str(rule["type"]) for rule in found}
    kept = {"deletion", "non_fast_forward"} <= kinds
    if kept or (old.known and not _rewritable(old.data)):
        yield fine("unprotected", f"nobody can rewrite or delete {branch}")
    else:
        yield warning("unprotected", f"{branch} can be rewritten or deleted by whoever may write", "moot init --apply")


def _classic(protection: Mapping[str, Any]) -> dict[str, bool]:
    """Return what of a branch protection stops a push."""
    switches = ("required_signatures", "required_linear_history", "lock_branch")
    parts = ("required_pull_request_reviews", "required_status_checks", "restrictions")
    found = {name: bool((protection.get(name) or {}).get("enabled")) for name in switches}
    return found | {name: protection.get(name) is not None for name in parts}


def _rewritable(protection: Mapping[str, Any]) -> bool:
    return any((protection.get(name) or {}).get("enabled") for name in ("allow_force_pushes", "allow_deletions"))


def _bypassed(asking: Asking, rule: Mapping[str, Any]) -> bool:
    """Say whether an app or a deploy key may bypass the ruleset of a rule, where we have such a token in store."""
    number = rule.get("ruleset_id")
    told = asking.ask(f"{asking.place}/rulesets/{number}") if number else None
    actors = (told.data.get("bypass_actors") or []) if told is not None and told.known else []
    apps = [actor for actor in actors if actor.get("actor_type") in ("Integration", "DeployKey", "User")]
    return bool(apps) and asking.ask(f"{asking.place}/environments/{ENVIRONMENT}/secrets/{TOKEN}").known


def writers(asking: Asking, place: Place, now: int) -> Findings:
    """Look who can write beside the administrators and maintainers of the games."""
    if not asking.administers:
        asking.unseen.append("who may write")
        return
    found = asking.all("collaborators", "who may write", query={"permission": "push"})
    known = {handle(game, who, "github").lower() for game in place.met for who in administrators(game)}
    known.add(asking.repository.partition("/")[0].lower())
    others = sorted(each["login"] for each in found if each["login"].lower() not in known)
    if len(others) == 1 and asking.ask(f"{asking.place}/environments/{ENVIRONMENT}/secrets/{TOKEN}").known:
        yield fine("writers", f"beside administrators only {others[0]} can write, who should be the referee's account")
    elif others:
        said = f"can write without being administrators of a game: {listed(others)}"
        yield warning("writers", said, f"take it from players, whose forks are enough: {place.home}/settings/access")
    else:
        yield fine("writers", "only administrators of the games can write")


def moot_refs(asking: Asking, place: Place, now: int) -> Findings:
    """Look whether the branch comes from the commit up to which it is known to be play."""
    listing = asking.of("git/matching-refs/moot", "the referee's own refs")
    refs = {each["ref"]: each["object"]["sha"] for each in listing}
    known = refs.get("refs/moot/refereed")
    if known is None:
        yield fine("moot-refs", "no referee has been here yet")
        return
    branch = asking.repo.get("default_branch")
    told = asking.ask(f"{asking.place}/compare/{known}...{branch}", {"per_page": 1})
    if not told.known:
        yield unknown("moot-refs", f"the forge does not compare {known[:12]} with {branch}", "moot verify")
    elif told.data["status"] in ("diverged", "behind"):
        said = f"{branch} does not come from what was refereed ({known[:12]}): somebody rewrote it"
        yield error("moot-refs", said, "moot verify, then moot verify --repair")
    else:
        yield fine("moot-refs", f"{branch} comes from what was refereed")


GITHUB: tuple[Check, ...] = (
    default_branch,
    issues,
    label,
    thread,
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
    sealing,
    rules,
    writers,
    locked,
    moot_refs,
)
"""What is looked at on GitHub, in this order, once it is known that the repository can be reached."""
