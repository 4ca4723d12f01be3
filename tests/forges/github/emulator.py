"""A GitHub in memory, beside a real git repository that holds its branches and heads.

Every request and every answer is judged by GitHub's own description of its API. Where it is known to differ:

- times go on by a second with each deed of a person, and stand still otherwise;
- nothing is eventual: what was done is seen at once;
- a merge by hand is found when something is asked, not when it is pushed;
- there are no rights: whoever has a token may write (but where a conversation is locked), and everybody may review,
  dismiss and close;
- text is kept as it was sent; no Markdown is rendered, and a text may be of any length.

(`myworld` 0.2.1 and `emulate` 0.12.2 serve no git, so their heads are no commits; the first ignores the `sha` of a merge
and does not page reviews, the second takes bad tokens. Neither can play a game.)
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import httpx

from folkmoot.journal.repositories import holds
from tests.forges.emulated import Emulated, Fields
from tests.forges.github.judge import check_answer, check_request, filled

API = "https://api.github.example"
PLACE = "/repos/moot/game"
TOKEN = "token-of-the-referee"
STATES = {"approve": "APPROVED", "request_changes": "CHANGES_REQUESTED", "comment": "COMMENTED"}
"""The words for reviews."""
ROBOT = 41898282


def stamp(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class GitHub(Emulated):
    """One repository, `moot/game`."""

    def __init__(self, hub: Path, now: int) -> None:
        super().__init__(hub, now, "github-actions[bot]", 100)
        self.accounts["github-actions[bot]"] = ROBOT
        self.lines: dict[int, Fields] = {}
        self.locked: set[int] = set()
        self.full_name = "moot/game"
        self.runs: list[Fields] = []
        self.builds = self.follows = True
        self.may_ask_who = False
        self._named = 99

    # -- people

    def account(self, person: str | None) -> Fields | None:
        if person is None:
            return None
        number = self.accounts.setdefault(person, 1000 + len(self.accounts))
        kind = "Bot" if person.endswith("[bot]") else "User"
        return dict(filled("simple-user", login=person, id=number, type=kind))

    def ghost(self) -> Fields:
        """Return the account that stands for a deleted one where GitHub demands one."""
        return dict(filled("simple-user", login="ghost", id=10137, type="User"))

    def tick(self) -> str:
        """Let a second pass; return the time."""
        self.now += 1
        return stamp(self.now)

    def number(self) -> int:
        self._last += 1
        return self._last

    def open_issue(self, person: str | None, title: str, labels: tuple[str, ...] = (), body: str = "") -> int:
        at, number = self.tick(), self.number()
        made = {"title": title, "user": person, "labels": labels, "body": body or None, "state": "open"}
        self.issues[number] = {**made, "closed_at": None, "created_at": at, "updated_at": at}
        self.timeline[number] = []
        for label in labels:
            self._labelled(number, label, at)
        return number

    def _labelled(self, number: int, label: str, at: str) -> None:
        kept = {"name": label, "color": "ffffff"}
        self.timeline[number].append(filled("labeled-issue-event", event="labeled", created_at=at, label=kept))

    def label(self, number: int, *labels: str) -> None:
        at, it = self.touch(number), self.item(number)
        for label in set(labels) - set(it.get("labels", ())):
            self._labelled(number, label, at)
        it["labels"] = labels

    def rewrite(self, number: int, body: str) -> None:
        self.issues[number] |= {"body": body, "updated_at": self.touch(number)}

    def lock(self, number: int, *, locked: bool = True) -> None:
        self.touch(number)
        (self.locked.add if locked else self.locked.discard)(number)

    def line(self, person: str | None, review: int, body: str) -> int:
        number = self.reviews[review]["number"]
        at, name = self.touch(number), 100 + len(self.lines)
        self.lines[name] = {"number": number, "review": review, "user": person, "body": body}
        self.lines[name] |= {"created_at": at, "updated_at": at}
        return name

    def open_pull(
        self, person: str, title: str, body: str, head: str, *, base: str = "main", draft: bool = False
    ) -> int:
        at, number = self.tick(), self.number()
        made = {"title": title, "body": body or None, "user": person, "head": head, "base": base, "draft": draft}
        made |= {"state": "open", "created_at": at, "updated_at": at, "fork": True}
        self.pulls[number] = {**made, **dict.fromkeys(("closed_at", "merged_at", "merge_commit_sha"))}
        self.timeline[number] = []
        self._stand(number, head)
        return number

    def _stand(self, number: int, head: str) -> None:
        self.pulls[number]["head"] = head
        self.repo.references.create(f"refs/pull/{number}/head", head, force=True)
        self.timeline[number].append(filled("timeline-committed-event", sha=head, event="committed"))
        if self.builds:
            self.runs.append({"head_sha": head, "created_at": stamp(self.now), "event": "pull_request"})

    def touch(self, number: int) -> str:
        at = self.tick()
        self.item(number)["updated_at"] = at
        return at

    def event(self, number: int, kind: str, person: str | None, at: str, **more: Any) -> None:
        schema = "review-dismissed-issue-event" if kind == "review_dismissed" else "state-change-issue-event"
        fields = {"id": 5000 + len(self.timeline[number]), "event": kind, "created_at": at}
        fields["actor"] = self.account(person) or self.ghost()
        self.timeline[number].append(filled(schema, **fields, **more))

    def push(self, number: int, head: str, *, force: bool = False) -> None:
        at = self.touch(number)
        self._stand(number, head)
        if force:
            self.event(number, "head_ref_force_pushed", self.pulls[number]["user"], at, commit_id=head)

    def comment(self, person: str | None, number: int, body: str) -> int:
        at, self._named = self.touch(number), self._named + 1
        name = self._named
        self.said[name] = {"number": number, "user": person, "body": body, "created_at": at, "updated_at": at}
        who = self.account(person) or self.ghost()
        fields = {**self._comment(name), "event": "commented", "actor": who, "user": who}
        self.timeline[number].append(filled("timeline-comment-event", **fields))
        return name

    def edit(self, name: int, body: str) -> None:
        self.said[name] |= {"body": body, "updated_at": self.touch(self.said[name]["number"])}

    def delete(self, name: int) -> None:
        self.touch(self.said.pop(name)["number"])

    def review(self, person: str | None, number: int, state: str, body: str = "", commit: str = "") -> int:
        at, name = self.touch(number), 100 + len(self.reviews)
        commit = commit or self.pulls[number]["head"]
        said = {"state": state, "body": body, "commit_id": commit, "submitted_at": at}
        self.reviews[name] = {"number": number, "user": person, **said}
        return name

    def dismiss(self, person: str | None, name: int) -> None:
        review = self.reviews[name]
        before = {"review_id": name, "state": review["state"].lower(), "dismissal_message": None}
        review["state"] = "DISMISSED"
        number = review["number"]
        self.event(number, "review_dismissed", person, self.touch(number), dismissed_review=before)

    def close(self, person: str | None, number: int) -> None:
        at = self.touch(number)
        self.item(number).update({"state": "closed", "closed_at": at})
        self.event(number, "closed", person, at)

    def reopen(self, person: str, number: int) -> None:
        at = self.touch(number)
        self.item(number).update({"state": "open", "closed_at": None})
        self.event(number, "reopened", person, at)

    def change(self, number: int, **fields: Any) -> None:
        self.pulls[number] |= {**fields, "updated_at": self.touch(number)}

    # -- what git does

    def follow(self) -> None:
        for number, main in self.arrived() if self.follows else ():
            at = self.touch(number)
            self.pulls[number] |= {"state": "closed", "closed_at": at, "merged_at": at, "merge_commit_sha": main}
            self.event(number, "merged", self.robot, at, commit_id=main)
            self.event(number, "closed", self.robot, at)

    # -- what it answers with

    def _pull(self, number: int, *, whole: bool) -> Fields:
        pull = self.pulls[number]
        plain = "title body draft state created_at updated_at closed_at merged_at merge_commit_sha"
        fields = {name: pull[name] for name in plain.split()}
        fields |= {"number": number, "user": self.account(pull["user"]), "html_url": f"https://github.example/{number}"}
        if pull.get("labels"):
            label = filled("pull-request-simple")["labels"]
            kept = {"id": 1, "node_id": "x", "url": "https://x", "description": "", "color": "ffffff", "default": False}
            fields["labels"] = [*label, *({**kept, "name": name} for name in pull["labels"])]
        if number in self.locked:
            fields["locked"] = True
        fields["head"] = {"sha": pull["head"], "ref": pull.get("ref", "patch")}
        if "ref" in pull:
            fields["head"]["repo"] = {"full_name": self.full_name}
        fields["base"] = {"sha": pull["head"], "ref": pull["base"]}
        if whole:
            fields["merged"] = bool(pull["merged_at"])
        return dict(filled("pull-request" if whole else "pull-request-simple", **fields))

    def _comment(self, name: int) -> Fields:
        said = self.said[name]
        place = f"{API}{PLACE}/issues/{said['number']}"
        fields = {k: said[k] for k in ("body", "created_at", "updated_at")}
        return dict(filled("issue-comment", id=name, issue_url=place, user=self.account(said["user"]), **fields))

    def _review(self, name: int) -> Fields:
        review = self.reviews[name]
        fields = {k: review[k] for k in ("state", "body", "commit_id", "submitted_at")}
        return dict(filled("pull-request-review", id=name, user=self.account(review["user"]), **fields))

    def _issue(self, number: int) -> Fields:
        issue = self.issues[number]
        fields = {k: issue[k] for k in ("title", "body", "state", "closed_at", "created_at", "updated_at")}
        fields |= {"id": 9000 + number, "number": number, "user": self.account(issue["user"])}
        fields |= {"html_url": f"https://github.example/{number}", "locked": number in self.locked}
        place = issue.get("repository", self.full_name)
        fields["repository_url"] = f"{API}/repos/{place}"
        labels = [{"id": 1, "name": name} if place else name for name in issue["labels"]]
        return dict(filled("issue", labels=labels, **fields))

    def _line(self, name: int) -> Fields:
        line = self.lines[name]
        fields = {k: line[k] for k in ("body", "created_at", "updated_at")}
        fields |= {"pull_request_review_id": line["review"], "user": self.account(line["user"])}
        return dict(filled("pull-request-review-comment", id=name, **fields))

    def _status(self, status: Fields) -> Fields:
        return dict(filled("status", **{k: status[k] for k in ("state", "context", "description", "target_url")}))

    # -- requests

    def answer(self, request: httpx.Request) -> httpx.Response:
        assert request.url.host == httpx.URL(API).host, "that is another host"
        path, query = request.url.path, dict(request.url.params)
        body = json.loads(request.content) if request.content else None
        check_request(request.method, path, query, body)
        if request.headers.get("Authorization") != f"Bearer {TOKEN}":
            return httpx.Response(401, json={"message": "Bad credentials"})
        self.follow()
        status, data = self._answer(request.method, path, query, body)
        check_answer(request.method, path, status, data)
        for each in (
            data if isinstance(data, list) else [data or {}]
        ):  # what GitHub does though its description forbids it
            if "head" in each and not self.pulls.get(each.get("number"), {"fork": True})["fork"]:
                each["head"]["repo"] = None
        return self._sent(request, status, data, query)

    def _sent(self, request: httpx.Request, status: int, data: Any, query: dict[str, str]) -> httpx.Response:
        headers = {"Date": format_datetime(datetime.fromtimestamp(self.now, UTC), usegmt=True)}
        if isinstance(data, list):
            page, size = int(query.get("page", 1)), min(int(query.get("per_page", 30)), self.pages)
            if page * size < len(data):
                headers["Link"] = f'<{request.url.copy_set_param("page", str(page + 1))}>; rel="next"'
            data = data[(page - 1) * size : page * size]
        content = json.dumps(data).encode()
        return httpx.Response(status, headers={**headers, "Content-Type": "application/json"}, content=content)

    def _answer(self, method: str, path: str, query: dict[str, str], body: Any) -> tuple[int, Any]:
        if path == "/user":
            return self._get_user(self.robot) if self.may_ask_who else (403, {})
        if path.startswith("/users/"):
            return self._get_user(path.removeprefix("/users/"))
        if re.fullmatch(r"/user/\d+", path):
            login = next((name for name, number in self.accounts.items() if str(number) == path[6:]), None)
            return self._get_user(login or "")
        if status := re.fullmatch(re.escape(PLACE) + r"/statuses/([0-9a-f]+)", path):
            return self._post_status(status[1], body)
        if path == PLACE:
            return 200, filled("full-repository", full_name=self.full_name)
        place = path.removeprefix(PLACE)
        for pattern, act in self._TABLE.items():
            wanted, _, form = pattern.partition(" ")
            found = re.fullmatch(form.replace("#", r"(\d+)"), place)
            if found and wanted == method:
                return act(self, *(int(each) for each in found.groups()), query=query, body=body)
        return 404, {"message": "Not Found"}

    def _get_pulls(self, query: Fields, body: Any) -> tuple[int, Any]:
        return self._listed(query, newest_first=query.get("direction") == "desc")

    def _get_user(self, login: str) -> tuple[int, Any]:
        known = login in self.accounts
        return (200, {**filled("public-user"), **(self.account(login) or {})}) if known else (404, {})

    def _patch_pull(self, number: int, query: dict[str, str], body: Any) -> tuple[int, Any]:
        if body["state"] == "closed" and self.pulls[number]["state"] == "open":
            self.close(self.robot, number)
        return 200, self._pull(number, whole=True)

    def _get_reviews(self, number: int, query: dict[str, str], body: Any) -> tuple[int, Any]:
        return 200, [self._review(name) for name, review in self.reviews.items() if review["number"] == number]

    def _get_issues(self, query: dict[str, str], body: Any) -> tuple[int, Any]:
        here = {n: issue for n, issue in self.issues.items() if "repository" not in issue}
        wanted = {n for n, issue in here.items() if query.get("labels", "") in ("", *issue["labels"])}
        every = [self._issue(n) for n in here if n in wanted and here[n]["updated_at"] >= query.get("since", "")]
        if "labels" not in query:  # pull requests are issues, too
            touched = [n for n, pull in self.pulls.items() if pull["updated_at"] >= query.get("since", "")]
            every += [self._pull_as_issue(number) for number in touched]
        return 200, every

    def _pull_as_issue(self, number: int) -> Fields:
        pull = self.pulls[number]
        fields = {k: pull[k] for k in ("title", "body", "state", "closed_at", "created_at", "updated_at")}
        link = dict.fromkeys(("diff_url", "html_url", "patch_url", "url"), "https://github.example/x")
        return dict(filled("issue", id=9000 + number, number=number, user=self.account(pull["user"]), **fields)) | {
            "pull_request": {**link, "merged_at": pull["merged_at"]}
        }

    def _get_issue(self, number: int, query: dict[str, str], body: Any) -> tuple[int, Any]:
        return (200, self._issue(number)) if number in self.issues else (410, {})

    def _patch_issue(self, number: int, query: dict[str, str], body: Any) -> tuple[int, Any]:
        if number not in self.issues:
            return 410, {}
        if body["state"] == "closed" and self.issues[number]["state"] == "open":
            self.close(self.robot, number)
        return 200, self._issue(number)

    def _get_lines(self, number: int, query: dict[str, str], body: Any) -> tuple[int, Any]:
        return 200, [self._line(name) for name, line in self.lines.items() if line["number"] == number]

    def _post_status(self, commit: str, body: Any) -> tuple[int, Any]:
        if not holds(self.repo, commit):
            return 422, {"message": "No commit found for SHA"}
        assert len(body["description"]) <= 140, "a description is longer than GitHub takes"
        self.statuses.append({"commit": commit, "target_url": None, **body})
        return 201, self._status(self.statuses[-1])

    def _get_comments(self, query: dict[str, str], body: Any) -> tuple[int, Any]:
        found = [name for name, said in self.said.items() if said["updated_at"] >= query["since"]]
        return 200, [self._comment(name) for name in sorted(found, key=lambda name: self.said[name]["updated_at"])]

    def _post_comment(self, number: int, query: dict[str, str], body: Any) -> tuple[int, Any]:
        if number in self.locked:
            return 403, {"message": "Unable to create comment because issue is locked."}
        if number not in self.pulls and number not in self.issues:
            return 410, {}
        return 201, self._comment(self.comment(self.robot, number, body["body"]))

    def _get_timeline(self, number: int, query: dict[str, str], body: Any) -> tuple[int, Any]:
        return 200, self.timeline[number]

    def _get_runs(self, query: dict[str, str], body: Any) -> tuple[int, Any]:
        found = [run for run in self.runs if run["head_sha"] == query["head_sha"]]
        runs = [filled("workflow-run", **run) for run in found]
        return 200, {"total_count": len(runs), "workflow_runs": runs}

    _TABLE: dict[str, Callable[..., tuple[int, Any]]] = {  # noqa: RUF012
        "GET /pulls": _get_pulls,
        "POST /pulls": Emulated._post_pull,
        "GET /pulls/#": Emulated._get_pull,
        "PATCH /pulls/#": _patch_pull,
        "GET /pulls/#/reviews": _get_reviews,
        "GET /issues": _get_issues,
        "GET /issues/#": _get_issue,
        "PATCH /issues/#": _patch_issue,
        "GET /pulls/#/comments": _get_lines,
        "GET /issues/comments": _get_comments,
        "GET /issues/comments/#": Emulated._get_comment,
        "PATCH /issues/comments/#": Emulated._patch_comment,
        "DELETE /issues/comments/#": Emulated._delete_comment,
        "GET /issues/#/comments": Emulated._get_said,
        "POST /issues/#/comments": _post_comment,
        "GET /issues/#/timeline": _get_timeline,
        "GET /actions/runs": _get_runs,
    }
