"""Settings of a forge that can be put right by its API: each that is not as it should be becomes a step."""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from msgspec import Struct

from folkmoot.core.problems import fail
from folkmoot.core.records import Shown
from folkmoot.files.issue_forms import LABEL
from folkmoot.forges.workflows import workflow_files
from folkmoot.game.secret_store import CHANCE, make_master
from folkmoot.ops.doctor.forge_checks import Asking, Unseen, is_other
from folkmoot.ops.doctor.gitea import MERGING
from folkmoot.ops.doctor.github import ENVIRONMENT
from folkmoot.ops.doctor.place import Place

COLOUR = "5319e7"
RULESET = "Folkmoot: the game's branch is not rewritten"
THREAD = """\
This is the thread of the game: comment here to act when you have no pull request open, and to talk about the game.

A line that begins with `/` is a command, for instance `/do state text="Hello."`, `/join`, or `/rule 105`.
"""


class Step(Struct, frozen=True):
    """One setting that is not as it should be: the code of its finding, what would be done, and how."""

    code: str
    what: str
    do: Callable[[], Any]


Steps = Iterator[Step]


class Settling:
    """Finds the steps for one repository; whoever calls decides which of them are done."""

    def __init__(self, asking: Asking, place: Place) -> None:
        self.asking = asking
        self.place = place
        self.write = asking.client.write
        self.at = asking.place

    def _send(self, method: str, path: str, body: Shown | None = None) -> Callable[[], Any]:
        return lambda: self.write(method, f"{self.at}/{path}" if path else self.at, body)

    # -- both kinds

    def label(self) -> Steps:
        """Make the label by which statements are known."""
        colour = COLOUR if self.place.kind == "github" else f"#{COLOUR}"
        if not any(each["name"] == LABEL for each in self.asking.all("labels", "labels")):
            body = {"name": LABEL, "color": colour, "description": "A statement to the game"}
            yield Step("label", f"make the label `{LABEL}`", self._send("POST", "labels", body))

    def thread(self) -> Steps:
        """Open the issue where the game is talked about."""
        found = self.asking.all("issues", "issues", query={"labels": LABEL, "state": "all"})
        if all(is_other(issue) for issue in found):
            yield Step("thread", "open the issue that is the game's thread", self._open_thread)

    def _open_thread(self) -> None:
        labels: list[Any] = [LABEL]
        if self.place.kind == "gitea":  # which knows labels by their numbers
            known = self.asking.client.get(f"{self.at}/labels").data
            labels = [each["id"] for each in known if each["name"] == LABEL]
        body = {"title": "The game", "body": THREAD, "labels": labels}
        self.write("POST", f"{self.at}/issues", body)


class GitHubSettling(Settling):
    """The steps on GitHub."""

    def steps(self) -> Steps:
        """Yield what is to be done, in an order in which each can be."""
        for part in (self.repository, self.label, self.thread, self.actions, self.job_rights, self.environment,
                     self.secret, self.pages, self.branch, self.workflows):  # fmt: skip
            with suppress(Unseen):
                yield from part()

    def repository(self) -> Steps:
        """Switch issues on."""
        if not self.asking.repo.get("has_issues"):
            yield Step("issues", "switch issues on", self._send("PATCH", "", {"has_issues": True}))

    def actions(self) -> Steps:
        """Switch jobs on."""
        if not self.asking.of("actions/permissions", "whether jobs are switched on")["enabled"]:
            body: dict[str, Any] = {"enabled": True, "allowed_actions": "all"}
            yield Step("actions", "switch Actions on", self._send("PUT", "actions/permissions", body))

    def job_rights(self) -> Steps:
        """Give jobs few rights."""
        found = self.asking.of("actions/permissions/workflow", "what jobs may do by default")
        wanted = {"default_workflow_permissions": "read", "can_approve_pull_request_reviews": False}
        if {name: found[name] for name in wanted} != wanted:
            what = "let jobs only read unless their workflow says more, and approve nothing"
            yield Step("job-rights", what, self._send("PUT", "actions/permissions/workflow", wanted))

    def environment(self) -> Steps:
        """Make the environment of the referee, for the default branch alone."""
        found = self.asking.find(f"environments/{ENVIRONMENT}", "the environment of the referee")
        branch = str(self.asking.repo["default_branch"])
        path = f"environments/{ENVIRONMENT}"
        policy = (found or {}).get("deployment_branch_policy") or {}
        if not policy.get("custom_branch_policies"):
            body = {"deployment_branch_policy": {"protected_branches": False, "custom_branch_policies": True}}
            yield Step("environment", f"make the environment `{ENVIRONMENT}` for chosen branches",
                       self._send("PUT", path, body))  # fmt: skip
            names = []
        else:
            listing = self.asking.of(f"{path}/deployment-branch-policies", "the branches of the environment")
            names = [each["name"] for each in listing["branch_policies"]]
        if branch not in names:
            yield Step("environment", f"let {branch} use the environment `{ENVIRONMENT}`",
                       self._send("POST", f"{path}/deployment-branch-policies", {"name": branch}))  # fmt: skip

    def secret(self) -> Steps:
        """Make a master secret for the dice, which nobody sees, unless there is one."""
        found = self.asking.find(f"environments/{ENVIRONMENT}/secrets/{CHANCE}", "the secrets of the environment")
        if found is None and not any(game.chance.get("commitment") for game in self.place.met):
            yield Step("secret", f"make a secret for the dice and store it as {CHANCE}", self._store_secret)

    def _store_secret(self) -> None:
        path = f"{self.at}/environments/{ENVIRONMENT}/secrets"
        key = self.asking.client.get(f"{path}/public-key").data
        body = {"encrypted_value": sealed(make_master(), key["key"]), "key_id": key["key_id"]}
        self.write("PUT", f"{path}/{CHANCE}", body)

    def pages(self) -> Steps:
        """Serve the site that the workflow builds."""
        found = self.asking.find("pages", "where Pages come from")
        if found is None:
            yield Step("pages", "serve the site by Pages", self._send("POST", "pages", {"build_type": "workflow"}))
        elif found.get("build_type") != "workflow":
            what = "let Pages serve what the workflow builds"
            yield Step("pages", what, self._send("PUT", "pages", {"build_type": "workflow"}))

    def branch(self) -> Steps:
        """Forbid rewriting and deleting the game's branch; an ordinary push stays free, the referee's is one."""
        branch = str(self.asking.repo["default_branch"])
        found = self.asking.all(f"rules/branches/{branch}", "the rules of the branch")
        if {"deletion", "non_fast_forward"} <= {each["type"] for each in found}:
            return
        body = {
            "name": RULESET,
            "target": "branch",
            "enforcement": "active",
            "conditions": {"ref_name": {"include": ["~DEFAULT_BRANCH"], "exclude": []}},
            "rules": [{"type": "deletion"}, {"type": "non_fast_forward"}],
        }
        yield Step("unprotected", f"forbid that {branch} is rewritten or deleted", self._send("POST", "rulesets", body))

    def workflows(self) -> Steps:
        """Switch workflows on again; the clock only while a game is awake."""
        found = self.asking.all("actions/workflows", "the workflows", "workflows")
        awake = any(game.awake for game in self.place.met)
        wanted = workflow_files("github")
        for each in found:
            clock = each["path"].endswith("/clock.yml")  # which the referee itself switches off and on
            sleeps = each["state"] in ("disabled_inactivity", "disabled_fork", "" if clock else "disabled_manually")
            if each["path"] in wanted and sleeps and (awake or not clock):
                path = f"actions/workflows/{each['id']}/enable"
                yield Step("workflow-disabled", f"switch {each['name']} on again", self._send("PUT", path))


class GiteaSettling(Settling):
    """The steps on Gitea and Forgejo."""

    def steps(self) -> Steps:
        """Yield what is to be done, in an order in which each can be."""
        for part in (self.repository, self.label, self.thread, self.secret, self.branch):
            with suppress(Unseen):
                yield from part()

    def repository(self) -> Steps:
        """Switch on what the game needs; the settings of merges take effect only together."""
        repo = self.asking.repo
        off = [name for name in MERGING if repo.get(name) is False]
        untold = [name for name in MERGING if repo.get(name) is None]
        if off or (untold and not self.place.remembers("merging")):
            yield Step("merging", "let the forge notice merges that are pushed", self._let_merges_be_noticed)
        if repo.get("has_actions") is False:  # a server that has none does not speak of them
            yield Step("actions", "switch Actions on", self._switch_actions_on)
        if not repo.get("has_issues"):
            yield Step("issues", "switch issues on", self._send("PATCH", "", {"has_issues": True}))

    def _let_merges_be_noticed(self) -> None:
        self.write("PATCH", self.at, dict.fromkeys(MERGING, True))
        self.place.remember("merging")

    def _switch_actions_on(self) -> None:
        reply = self.write("PATCH", self.at, {"has_actions": True})
        if isinstance(reply.data, Mapping) and not reply.data.get("has_actions"):
            hint = "ask whoever runs it, or run `moot referee --watch 60` on a machine of yours"
            raise fail("E-FORGE", "the forge did not switch Actions on: this server has them switched off", None, hint)

    def secret(self) -> Steps:
        """Make a master secret for the dice, which nobody sees, unless there is one."""
        if not self._keeps_secret() and not any(game.chance.get("commitment") for game in self.place.met):
            yield Step("secret", f"make a secret for the dice and store it as {CHANCE}", self._store_secret)

    def _keeps_secret(self) -> bool:
        """Say whether the secret is there; a server that cannot list secrets may store them all the same."""
        try:
            known = self.asking.all("actions/secrets", "the secrets of the repository")
        except Unseen:
            if self.asking.unseen or self.asking.repo.get("has_actions") is None:
                raise
            return self.place.remembers("secret")
        return any(each["name"] == CHANCE for each in known)

    def _store_secret(self) -> None:
        self.write("PUT", f"{self.at}/actions/secrets/{CHANCE}", {"data": make_master()})
        self.place.remember("secret")

    def branch(self) -> Steps:
        """Protect the branch from being rewritten or deleted; whoever may write may push."""
        branch = str(self.asking.repo["default_branch"])
        found = self.asking.of("branch_protections", "the protection of branches")
        if any(branch in (each.get("rule_name"), each.get("branch_name")) for each in found):
            return
        body = {"rule_name": branch, "branch_name": branch, "enable_push": True}
        yield Step("unprotected", f"forbid that {branch} is rewritten or deleted",
                   self._send("POST", "branch_protections", body))  # fmt: skip


def steps(asking: Asking, place: Place) -> Steps:
    """Yield what can be put right on the forge of a place, each as a step of its own."""
    settling = GitHubSettling(asking, place) if place.kind == "github" else GiteaSettling(asking, place)
    yield from settling.steps()


def sealed(secret: str, key: str) -> str:
    """Return a secret sealed to a public key (base64, 32 bytes), as base64; raises E-FORGE for what is no key."""
    from nacl.public import PublicKey, SealedBox  # loaded where a secret is stored, and nowhere else

    try:
        box = SealedBox(PublicKey(b64decode(key, validate=True)))
    except (binascii.Error, ValueError, TypeError):
        raise fail("E-FORGE", "the forge names no key to which a secret can be sealed", None, "run it again") from None
    return b64encode(box.encrypt(secret.encode())).decode()
