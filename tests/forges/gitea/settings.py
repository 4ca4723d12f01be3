"""The emulated Forgejo or Gitea with the settings of its repository, for those who look after them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.forges.gitea.emulator import GITEA, PLACE, Fields, Generation, Gitea


class SettledGitea(Gitea):
    """The repository `moot/game`, all of whose settings are as they should be."""

    def __init__(self, hub: Path, now: int, generation: Generation = GITEA) -> None:
        super().__init__(hub, now, generation)
        self.rights = {"admin": True, "push": True, "pull": True}
        self.hidden: set[str] = set()
        self.version = generation.version
        self.accounts |= {"annabel": 7}
        self.repository: Fields = {
            "default_branch": "main",
            "has_issues": True,
            "has_pull_requests": True,
            "archived": False,
        }
        self.repository |= {} if generation.jobs is False else {"has_actions": True}
        self.labels = ["game"]
        self.secrets = {"FOLKMOOT_CHANCE": "hidden", "FOLKMOOT_TOKEN": "hidden"}
        self.protections: list[Fields] = [{"rule_name": "main", "branch_name": "main", "enable_push": True}]
        self.collaborators = ["annabel"]
        self.tasks: list[Fields] = [{"id": 1, "workflow_id": "referee.yml", "status": "success"}]

    @classmethod
    def bare(cls, hub: Path, now: int, generation: Generation = GITEA) -> SettledGitea:
        """Return the repository as the server makes an empty one."""
        made = cls(hub, now, generation)
        made.repository |= {} if generation.jobs is False else {"has_actions": False}
        made.settings = {"allow_manual_merge": False, "autodetect_manual_merge": False}
        made.labels, made.secrets, made.protections, made.tasks = [], {}, [], []
        return made

    def _answer(self, method: str, path: str, query: dict[str, str], body: Any) -> tuple[int, Any, dict[str, str]]:
        place = path.removeprefix(PLACE)
        if any(place.startswith(each) for each in self.hidden):
            return 403, {"message": "token does not have at least one of required scope(s)"}, {}
        stores = self.generation.jobs is None and method == "PUT" and place.startswith("/actions/secrets/")
        if not self.generation.jobs and place.startswith("/actions") and not stores:
            return 404, {"message": "Not Found"}, {}
        for pattern, act in self._SETTINGS.items():
            wanted, _, form = pattern.partition(" ")
            found = re.fullmatch(form, place)
            if found and wanted == method:
                status, data = getattr(self, act)(*found.groups(), query=query, body=body)
                return (status, *self._paged(form, status, data, query)[1:]) if "page" in query else (status, data, {})
        return super()._answer(method, path, query, body)

    def _repository(self, query: Fields, body: Any) -> tuple[int, Any]:
        known = super()._get_repository(query, body)[1]
        return 200, {**known, **self.repository, "permissions": self.rights}

    def _change_repository(self, query: Fields, body: Any) -> tuple[int, Any]:
        self.repository |= {name: value for name, value in body.items() if name in self.repository}
        super()._patch_repository(query, body)
        return self._repository(query, body)

    def _version(self, query: Fields, body: Any) -> tuple[int, Any]:
        return 200, {"version": self.version}

    def _labels(self, query: Fields, body: Any) -> tuple[int, Any]:
        return 200, [{"id": number, "name": name} for number, name in enumerate(self.labels, 1)]

    def _make_label(self, query: Fields, body: Any) -> tuple[int, Any]:
        assert re.fullmatch("#[0-9a-f]{6}", body["color"])
        self.labels.append(body["name"])
        return 201, {"id": len(self.labels), "name": body["name"]}

    def _secrets(self, query: Fields, body: Any) -> tuple[int, Any]:
        return 200, [{"name": name} for name in self.secrets]

    def _store(self, name: str, query: Fields, body: Any) -> tuple[int, Any]:
        self.secrets[name] = body["data"]
        return 201, None

    def _tasks(self, query: Fields, body: Any) -> tuple[int, Any]:
        return 200, {"total_count": len(self.tasks), "workflow_runs": self.tasks}

    def _protections(self, query: Fields, body: Any) -> tuple[int, Any]:
        return 200, self.protections

    def _protect(self, query: Fields, body: Any) -> tuple[int, Any]:
        self.protections.append(dict(body))
        return 201, dict(body)

    def _collaborators(self, query: Fields, body: Any) -> tuple[int, Any]:
        return 200, [self.account(login) for login in self.collaborators]

    def _open(self, query: Fields, body: Any) -> tuple[int, Any]:
        names = tuple(self.labels[number - 1] for number in body["labels"])
        return 201, self._issue(self.open_issue("moot", body["title"], names, body["body"]))

    _SETTINGS: dict[str, str] = {  # noqa: RUF012
        "GET ": "_repository",
        "PATCH ": "_change_repository",
        "GET /version": "_version",
        "GET /labels": "_labels",
        "POST /labels": "_make_label",
        "GET /actions/secrets": "_secrets",
        "PUT /actions/secrets/([^/]+)": "_store",
        "GET /actions/tasks": "_tasks",
        "GET /branch_protections": "_protections",
        "POST /branch_protections": "_protect",
        "GET /collaborators": "_collaborators",
        "POST /issues": "_open",
    }
