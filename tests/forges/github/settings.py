"""The emulated GitHub with the settings of its repository, for those who look after them.

Every request and answer is judged by GitHub's own description, as all of the emulator's. Known differences: who has a
token is an administrator, unless `rights` says otherwise; what may not be seen is answered with 403 if it is `hidden`.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx
from nacl.public import PrivateKey, SealedBox

from folkmoot.forges.workflows import workflow_files
from tests.forges.github.emulator import PLACE, TOKEN, Fields, GitHub, stamp
from tests.forges.github.judge import filled

ENVIRONMENT = "/environments/referee"


class SettledGitHub(GitHub):
    """The repository `moot/game`, all of whose settings are as they should be."""

    def __init__(self, hub: Path, now: int) -> None:
        super().__init__(hub, now)
        self.key = PrivateKey.generate()
        self.rights = {"admin": True, "push": True, "pull": True, "maintain": True, "triage": True}
        self.hidden: set[str] = set()
        self.there = True
        self.repository: Fields = {"default_branch": "main", "has_issues": True, "archived": False, "private": False}
        self.permissions: Fields = {"enabled": True, "allowed_actions": "all"}
        self.selected: Fields = {"github_owned_allowed": True, "verified_allowed": False, "patterns_allowed": []}
        self.job_rights: Fields = {"default_workflow_permissions": "read", "can_approve_pull_request_reviews": False}
        self.approval = "all_external_contributors"
        self.running: list[Fields] = []
        self.workflows = dict.fromkeys(workflow_files("github"), "active")
        self.workflow_runs: dict[str, list[Fields]] = {
            "referee.yml": [{"created_at": stamp(now - 600), "status": "completed", "conclusion": "success"}],
            "publish.yml": [{"created_at": stamp(now - 300), "status": "completed", "conclusion": "success"}],
        }
        self.pages_from: str | None = "workflow"
        self.environment: Fields | None = {"protection_rules": [], "branches": ["main"], "custom": True}
        self.secret_store: dict[str, str] = {"FOLKMOOT_CHANCE": "sealed"}
        self.secrets: set[str] = set()
        self.labels = {"game"}
        self.branch_rules: list[Fields] = [{"type": "deletion"}, {"type": "non_fast_forward"}]
        self.rulesets: dict[int, Fields] = {}
        self.protection: Fields | None = None
        self.collaborators = ["moot", "annabel"]

    @classmethod
    def bare(cls, hub: Path, now: int) -> SettledGitHub:
        """Return the repository as GitHub makes an empty one."""
        made = cls(hub, now)
        made.job_rights = {"default_workflow_permissions": "write", "can_approve_pull_request_reviews": True}
        made.workflows = {}
        made.workflow_runs = {}
        made.pages_from = made.environment = None
        made.secret_store, made.labels, made.branch_rules = {}, set(), []
        return made

    def opened(self, name: str) -> str:
        """Return the secret that was stored sealed."""
        return SealedBox(self.key).decrypt(b64decode(self.secret_store[name])).decode()

    def break_run(self, workflow: str, conclusion: str | None, status: str = "completed", age: int = 600) -> None:
        """Let the newest run of a workflow have ended otherwise."""
        run = {"created_at": stamp(self.now - age), "status": status, "conclusion": conclusion}
        self.workflow_runs[workflow] = [run]

    # -- answering

    def answer(self, request: httpx.Request) -> httpx.Response:
        if request.url.path == "/rate_limit":  # which strangers may ask too
            request.headers["Authorization"] = f"Bearer {TOKEN}"
        return super().answer(request)

    def _sent(self, request: httpx.Request, status: int, data: Any, query: dict[str, str]) -> httpx.Response:
        answer = super()._sent(request, status, data, query)
        return httpx.Response(status, headers={"Date": answer.headers["Date"]}) if data is None else answer

    def _pull(self, number: int, *, whole: bool) -> Fields:
        return {**super()._pull(number, whole=whole), "locked": number in self.locked}

    def _answer(self, method: str, path: str, query: dict[str, str], body: Any) -> tuple[int, Any]:
        place = unquote(path.removeprefix(PLACE)) if path.startswith(PLACE) else path
        if any(place.startswith(each) and each for each in self.hidden):
            return 403, {"message": "Resource not accessible by personal access token"}
        if path.startswith(PLACE) and not self.there:
            return 404, {"message": "Not Found"}
        for pattern, act in self._SETTINGS.items():
            wanted, _, form = pattern.partition(" ")
            found = re.fullmatch(form, place)
            if found and wanted == method:
                return getattr(self, act.__name__)(*found.groups(), query=query, body=body)
        return super()._answer(method, path, query, body)

    def _rate(self, query: Fields, body: Any) -> tuple[int, Any]:
        return 200, filled("rate-limit-overview")

    def _user(self, login: str, query: Fields, body: Any) -> tuple[int, Any]:
        if login not in self.accounts:
            return 404, {"message": "Not Found"}
        return 200, filled("public-user", login=login, id=self.accounts[login])

    def _repository(self, query: Fields, body: Any) -> tuple[int, Any]:
        return 200, filled("full-repository", full_name=self.full_name, **self.repository, permissions=self.rights)

    def _change_repository(self, query: Fields, body: Any) -> tuple[int, Any]:
        self.repository |= body
        return self._repository(query, body)

    def _permissions(self, query: Fields, body: Any) -> tuple[int, Any]:
        return 200, self.permissions

    def _permit(self, query: Fields, body: Any) -> tuple[int, Any]:
        self.permissions = body
        return 204, None

    def _selected(self, query: Fields, body: Any) -> tuple[int, Any]:
        return 200, self.selected

    def _job_rights(self, query: Fields, body: Any) -> tuple[int, Any]:
        return 200, self.job_rights

    def _set_job_rights(self, query: Fields, body: Any) -> tuple[int, Any]:
        self.job_rights = body
        return 204, None

    def _approval(self, query: Fields, body: Any) -> tuple[int, Any]:
        return 200, {"approval_policy": self.approval}

    def _workflows(self, query: Fields, body: Any) -> tuple[int, Any]:
        found = [
            filled("workflow", id=number, name=path.rpartition("/")[2], path=path, state=state)
            for number, (path, state) in enumerate(self.workflows.items())
        ]
        return 200, {"total_count": len(found), "workflows": found}

    def _enable(self, number: str, query: Fields, body: Any) -> tuple[int, Any]:
        self.workflows[list(self.workflows)[int(number)]] = "active"
        return 204, None

    def _runs_of(self, name: str, query: Fields, body: Any) -> tuple[int, Any]:
        if name not in {path.rpartition("/")[2] for path in self.workflows}:
            return 404, {"message": "Not Found"}
        runs = [filled("workflow-run", **run) for run in self.workflow_runs.get(name, [])]
        return 200, {"total_count": len(runs), "workflow_runs": runs}

    def _waiting(self, query: Fields, body: Any) -> tuple[int, Any]:
        if query.get("status") == "in_progress":
            runs = [filled("workflow-run", status="in_progress", **run) for run in self.running]
            return 200, {"total_count": len(runs), "workflow_runs": runs}
        return self._get_runs(query, body)

    def _pages(self, query: Fields, body: Any) -> tuple[int, Any]:
        if self.pages_from is None:
            return 404, {"message": "Not Found"}
        return 200, filled("page", build_type=self.pages_from, html_url="https://moot.github.io/game/", status="built")

    def _make_pages(self, query: Fields, body: Any) -> tuple[int, Any]:
        if self.pages_from is not None:
            return 409, {"message": "Conflict"}
        self.pages_from = body["build_type"]
        return 201, self._pages(query, body)[1]

    def _set_pages(self, query: Fields, body: Any) -> tuple[int, Any]:
        self.pages_from = body["build_type"]
        return 204, None

    def _environment(self, query: Fields, body: Any) -> tuple[int, Any]:
        if self.environment is None:
            return 404, {"message": "Not Found"}
        custom = self.environment["custom"]
        policy = None if custom is None else {"protected_branches": not custom, "custom_branch_policies": custom}
        rules = self.environment["protection_rules"]
        return 200, filled("environment", name="referee", protection_rules=rules, deployment_branch_policy=policy)

    def _make_environment(self, query: Fields, body: Any) -> tuple[int, Any]:
        policy = body["deployment_branch_policy"]
        kept = self.environment or {"protection_rules": [], "branches": []}
        self.environment = {**kept, "custom": policy["custom_branch_policies"] if policy else None}
        return self._environment(query, body)

    def _branches(self, query: Fields, body: Any) -> tuple[int, Any]:
        names = self.environment["branches"] if self.environment else []
        policies = [filled("deployment-branch-policy", name=name) for name in names]
        return 200, {"total_count": len(policies), "branch_policies": policies}

    def _add_branch(self, query: Fields, body: Any) -> tuple[int, Any]:
        if self.environment is None:
            return 404, {"message": "Not Found"}
        self.environment["branches"].append(body["name"])
        return 200, filled("deployment-branch-policy", name=body["name"])

    def _public_key(self, query: Fields, body: Any) -> tuple[int, Any]:
        if self.environment is None:
            return 404, {"message": "Not Found"}
        return 200, {"key_id": "568250167242549743", "key": b64encode(bytes(self.key.public_key)).decode()}

    def _environment_secret(self, name: str, query: Fields, body: Any) -> tuple[int, Any]:
        if name not in self.secret_store:
            return 404, {"message": "Not Found"}
        return 200, filled("actions-secret", name=name)

    def _store(self, name: str, query: Fields, body: Any) -> tuple[int, Any]:
        if self.environment is None or body["key_id"] != "568250167242549743":
            return 404, {"message": "Not Found"}
        there = name in self.secret_store
        self.secret_store[name] = body["encrypted_value"]
        return (204, None) if there else (201, {})

    def _secret(self, name: str, query: Fields, body: Any) -> tuple[int, Any]:
        return (200, filled("actions-secret", name=name)) if name in self.secrets else (404, {"message": "Not Found"})

    def _label(self, name: str, query: Fields, body: Any) -> tuple[int, Any]:
        return (200, filled("label", name=name)) if name in self.labels else (404, {"message": "Not Found"})

    def _labels(self, query: Fields, body: Any) -> tuple[int, Any]:
        return 200, [filled("label", name=name) for name in sorted(self.labels)]

    def _make_label(self, query: Fields, body: Any) -> tuple[int, Any]:
        self.labels.add(body["name"])
        return 201, filled("label", name=body["name"], color=body["color"])

    def _open(self, query: Fields, body: Any) -> tuple[int, Any]:
        number = self.open_issue("moot", body["title"], tuple(body["labels"]), body["body"])
        return 201, self._issue(number)

    def _rules(self, branch: str, query: Fields, body: Any) -> tuple[int, Any]:
        if branch != self.repository["default_branch"]:
            return 200, []
        return 200, self.branch_rules

    def _make_ruleset(self, query: Fields, body: Any) -> tuple[int, Any]:
        number = 10 + len(self.rulesets)
        made = {key: body[key] for key in ("name", "target", "enforcement", "conditions", "rules")}
        self.rulesets[number] = filled("repository-ruleset", id=number, **made)
        self.branch_rules += body["rules"]
        return 201, self.rulesets[number]

    def _ruleset(self, number: str, query: Fields, body: Any) -> tuple[int, Any]:
        known = self.rulesets.get(int(number))
        return (200, known) if known else (404, {"message": "Not Found"})

    def _protection(self, _branch: str, query: Fields, body: Any) -> tuple[int, Any]:
        return (404, {"message": "Branch not protected"}) if self.protection is None else (200, self.protection)

    def _collaborators(self, query: Fields, body: Any) -> tuple[int, Any]:
        return 200, [filled("collaborator", login=login) for login in self.collaborators]

    def _matching(self, prefix: str, query: Fields, body: Any) -> tuple[int, Any]:
        found = [name for name in self.repo.references if name.startswith(f"refs/{prefix}")]
        return 200, [
            filled("git-ref", ref=name, object={"sha": str(self.repo.references[name].target), "type": "commit"})
            for name in sorted(found)
        ]

    def _compare(self, basehead: str, query: Fields, body: Any) -> tuple[int, Any]:
        base, _, branch = basehead.partition("...")
        head = self.repo.references[f"refs/heads/{branch}"].target
        ahead, behind = self.repo.ahead_behind(head, base)
        status = (
            "identical" if not ahead + behind else "diverged" if ahead and behind else "ahead" if ahead else "behind"
        )
        return 200, filled("commit-comparison", status=status, ahead_by=ahead, behind_by=behind)

    _SETTINGS: dict[str, Any] = {  # noqa: RUF012
        "GET /rate_limit": _rate,
        "GET /users/([^/]+)": _user,
        "GET ": _repository,
        "PATCH ": _change_repository,
        "GET /actions/permissions": _permissions,
        "PUT /actions/permissions": _permit,
        "GET /actions/permissions/selected-actions": _selected,
        "GET /actions/permissions/workflow": _job_rights,
        "PUT /actions/permissions/workflow": _set_job_rights,
        "GET /actions/permissions/fork-pr-contributor-approval": _approval,
        "GET /actions/workflows": _workflows,
        "PUT /actions/workflows/([^/]+)/enable": _enable,
        "GET /actions/workflows/([^/]+)/runs": _runs_of,
        "GET /actions/runs": _waiting,
        "GET /pages": _pages,
        "POST /pages": _make_pages,
        "PUT /pages": _set_pages,
        f"GET {ENVIRONMENT}": _environment,
        f"PUT {ENVIRONMENT}": _make_environment,
        f"GET {ENVIRONMENT}/deployment-branch-policies": _branches,
        f"POST {ENVIRONMENT}/deployment-branch-policies": _add_branch,
        f"GET {ENVIRONMENT}/secrets/public-key": _public_key,
        f"GET {ENVIRONMENT}/secrets/([^/]+)": _environment_secret,
        f"PUT {ENVIRONMENT}/secrets/([^/]+)": _store,
        "GET /actions/secrets/([^/]+)": _secret,
        "GET /labels": _labels,
        "POST /labels": _make_label,
        "GET /labels/([^/]+)": _label,
        "POST /issues": _open,
        "GET /rules/branches/([^/]+)": _rules,
        "POST /rulesets": _make_ruleset,
        "GET /rulesets/([^/]+)": _ruleset,
        "GET /branches/([^/]+)/protection": _protection,
        "GET /collaborators": _collaborators,
        "GET /git/matching-refs/(.+)": _matching,
        "GET /compare/(.+)": _compare,
    }
