"""A Forgejo or Gitea in memory, beside a real git repository that holds its branches and heads.

Its answers are the recorded ones of Gitea 1.15.9 with other values in them; those of today's servers have the fields
besides that were added since. Every request and answer is judged by what Gitea 1.27.3 and Forgejo 10 say of their APIs.
Where it is known to differ from the real ones:

- times go on by a second with each deed of a person, and stand still otherwise;
- there are few rights: whoever has a token may write, but to a branch that is protected (`protect`), and everybody may
  review, dismiss and close;
- text is kept as it was sent; no Markdown is rendered, and a text may be of any length;
- a merge by hand is found when something is asked, after as many requests as `lag` says;
- the list of issues is chosen by what became of them so many seconds ago as `index_lag` says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from copy import deepcopy
from datetime import UTC, datetime, timedelta, timezone
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import httpx
import pygit2
from msgspec import Struct

from folkmoot.journal.repositories import descends
from tests.forges.emulated import Emulated, Fields
from tests.forges.gitea import recorded
from tests.forges.gitea.judge import Described, check_answer, check_request, without

HOME = "https://forge.example/git"
API = f"{HOME}/api/v1"
PLACE = "/repos/moot/game"
TOKEN = "token-of-the-referee"
NOT_FOUND = {"message": "Not Found", "errors": None, "documentation_url": f"{HOME}/api/swagger"}
STATES = {"approve": "APPROVED", "request_changes": "REQUEST_CHANGES", "comment": "COMMENT"}
"""The words for reviews."""
GHOST, ACTIONS = -1, -2
_WHOLE = ("/issues/#/comments", "/pulls/#/reviews/#/comments")


class Generation(Struct, frozen=True):
    """What sets one server apart from others.

    `new`: it has a timeline, totals and pages of reviews; `drafts`: it says which pull requests are; `tells`: it tells
    how it notices merges; `jobs`: it has Actions and can be asked for them, `None`: it has them and cannot; `forgejo`:
    it answers as Forgejo by an address of its own; `preselects`: a menu of a form that nobody touched has its first choice.
    """

    version: str
    described: Described
    new: bool
    drafts: bool = True
    tells: bool = False
    jobs: bool | None = True
    forgejo: bool = False
    preselects: bool = False


GITEA_1_15 = Generation("1.15.9", "gitea", new=False, drafts=False, jobs=False, preselects=True)
GITEA_1_22 = Generation("1.22.0+dev-514-gd1d9c4a", "gitea", new=True, drafts=False, jobs=None, preselects=True)
GITEA = Generation("1.27.3", "gitea", new=True, tells=True)
FORGEJO_1_21 = Generation("1.21.11+2", "forgejo", new=True, drafts=False, jobs=None, forgejo=True, preselects=True)
FORGEJO = Generation("10.0.0-93-60eedb9+gitea-1.22.0", "forgejo", new=True, forgejo=True)
GENERATIONS = {"gitea-1.15": GITEA_1_15, "gitea": GITEA, "forgejo": FORGEJO}


def address_of(person: str) -> str:
    return f"{person}@accounts.example"


class Gitea(Emulated):
    """One repository, `moot/game`; stamps are written in the server's own zone, as real ones do."""

    missing, nowhere = NOT_FOUND, (404, NOT_FOUND)
    refused = (409, {"message": "pull request already exists for these targets"})

    def __init__(self, hub: Path, now: int, generation: Generation = GITEA) -> None:
        super().__init__(hub, now, "moot", 50)
        self.generation = generation
        self.accounts["moot"] = 1
        self.settings: Fields = {"allow_manual_merge": True, "autodetect_manual_merge": True}
        self.is_admin = False
        self.slow: dict[int, int] = {}
        self.lag = self.index_lag = 0
        self.indexed: dict[int, Fields] = {}
        self._events = self._reviewed = 0

    # -- people and time

    def account(self, person: str | None) -> Fields:
        number = GHOST if person is None else self.accounts.setdefault(person, 1000 + len(self.accounts))
        return {**deepcopy(recorded.USER), "id": number, "login": person or "Ghost", "username": person or "Ghost"}

    def merger(self, commit: str) -> str:
        """Return whom a pushed merge is put down to: the account of its author's address, else the repository's owner."""
        address = str(self.repo[commit].peel(pygit2.Commit).author.email)
        known = (name for name in self.accounts if address == address_of(name))
        return next(known, "moot")

    def stamp(self, at: int | None) -> str | None:
        return at and datetime.fromtimestamp(at, UTC).astimezone(timezone(timedelta(hours=2))).isoformat()

    def touch(self, number: int) -> int:
        self.now += 1
        self.item(number)["updated_at"] = self.now
        return self.now

    def event(self, number: int, kind: str, person: str | None, **more: Any) -> int:
        self._events += 1
        at = self.touch(number)
        fields = {"id": 100 + self._events, "type": kind, "person": person, "created_at": at, "updated_at": at, **more}
        self.timeline[number].append(fields)
        return 100 + self._events

    def protect(self, branch: str, *names: str) -> None:
        """Let only those who are named push to a branch; the referee is told otherwise in the server's own words."""
        hook = Path(self.repo.path, "hooks", "pre-receive")
        hook.parent.mkdir(exist_ok=True)
        told = f"{'Forgejo' if self.generation.forgejo else 'Gitea'}: Not allowed to push to protected branch {branch}"
        refuse = "" if self.robot in names else f'[ "$ref" = "refs/heads/{branch}" ] && echo "{told}" >&2 && exit 1'
        hook.write_text(f"#!/bin/sh\nwhile read -r old new ref; do\n  {refuse or ':'}\ndone\nexit 0\n")
        hook.chmod(0o755)

    # -- deeds

    def _new(self, person: str | None, title: str, **more: Any) -> int:
        self.now += 1
        self._last += 1
        times = {"created_at": self.now, "updated_at": self.now, "closed_at": None}
        made = {"title": title, "user": person, "body": "", "state": "open", "labels": (), **times, **more}
        (self.pulls if "head" in made else self.issues)[self._last] = made
        self.timeline[self._last] = []
        return self._last

    def open_issue(self, person: str | None, title: str, labels: tuple[str, ...] = (), body: str = "") -> int:
        number = self._new(person, title, body=body)
        for name in labels:
            self.label(number, name)
        self.now = self.issues[number]["updated_at"] = self.issues[number]["created_at"]
        for event in self.timeline[number]:
            event |= {"created_at": self.now, "updated_at": self.now}
        return number

    def label(self, number: int, name: str, *, off: bool = False) -> None:
        """Give an issue or a pull request a label, or take one away."""
        item = self.item(number)
        item["labels"] = tuple(each for each in item["labels"] if each != name) + (() if off else (name,))
        self.event(number, "label", "keeper", body="" if off else "1", label=name)

    def open_pull(
        self,
        person: str | None,
        title: str,
        body: str,
        head: str,
        *,
        base: str = "main",
        draft: bool = False,
        labels: tuple[str, ...] = (),
    ) -> int:
        merge = {"merged_at": None, "merge_commit_sha": None, "fork": True, "pushed_at": self.now}
        number = self._new(person, title, body=body, head=head, base=base, draft=draft, labels=labels, **merge)
        self.repo.references.create(f"refs/pull/{number}/head", head, force=True)
        return number

    def push(self, number: int, head: str, *, force: bool = False) -> None:
        before = self.pulls[number]["head"]
        self.pulls[number]["head"] = head
        self.repo.references.create(f"refs/pull/{number}/head", head, force=True)
        for review in self.reviews.values():
            review["stale"] |= review["number"] == number
        commits = [before, head] if force else [head]
        body = json.dumps({"is_force_push": force, "commit_ids": commits})
        self.event(number, "pull_push", self.pulls[number]["user"], body=body)
        self.pulls[number]["pushed_at"] = self.now

    def comment(self, person: str | None, number: int, body: str) -> int:
        name = self.event(number, "comment", person, body=body)
        self.said[name] = self.timeline[number][-1] | {"number": number}
        self.timeline[number][-1] = self.said[name]
        return name

    def edit(self, name: int, body: str) -> None:
        """Edit a comment; that touches the comment only."""
        self.now += 1
        self.said[name] |= {"body": body, "updated_at": self.now}

    def delete(self, name: int) -> None:
        """Delete a comment; that touches nothing else."""
        self.now += 1
        self.timeline[self.said[name]["number"]].remove(self.said.pop(name))

    def review(self, person: str | None, number: int, state: str, body: str = "", commit: str = "") -> int:
        name = self.begin(person, number, commit)
        self.submit(name, state, body)
        return name

    def begin(self, person: str | None, number: int, commit: str = "") -> int:
        """Begin a review that nobody else sees yet."""
        self._reviewed += 1
        self.now += 1
        stands = {"commit_id": commit or self.shown_by_git(number), "submitted_at": self.now, "lines": []}
        said = {"state": "PENDING", "body": "", "stale": False, "dismissed": False, "place": 0}
        self.reviews[self._reviewed] = {"number": number, "user": person, **said, **stands}
        return self._reviewed

    def shown_by_git(self, number: int) -> str:
        """Return what a review is stamped with: what git holds, be it what somebody else pushed there."""
        ref = self.repo.references.get(f"refs/pull/{number}/head")
        return str(ref.target) if ref is not None else str(self.pulls[number]["head"])

    def submit(self, name: int, state: str, body: str = "") -> None:
        """Submit a review that was begun; its stamp stays."""
        review = self.reviews[name]
        self.now -= review["submitted_at"] == self.now
        place = self.event(review["number"], "review", review["user"], body=body, review_id=name)
        review |= {"state": state, "body": body, "place": place}

    def remark_on_line(self, person: str | None, name: int, body: str) -> int:
        """Comment on a line as a part of a review, or answer what was said there."""
        number = self.reviews[name]["number"]
        place = self.event(number, "code", person, body=body, review_id=name)
        self.reviews[name]["lines"].append(self.timeline[number][-1])
        return place

    def dismiss(self, person: str | None, name: int) -> None:
        """Dismiss a review; its state stays. Of a closed pull request none is."""
        if self.pulls[self.reviews[name]["number"]]["state"] == "closed":
            raise PermissionError("not need to dismiss this review because this pr is closed")
        self.reviews[name]["dismissed"] = True
        self.event(self.reviews[name]["number"], "dismiss_review", person, body="no", review_id=name)

    def purge(self, person: str) -> None:
        """Delete an account with all that is its own: its open pull requests stay, by Ghost and from no fork."""
        self.accounts.pop(person, None)
        for place in (*self.pulls.values(), *self.issues.values(), *self.said.values(), *self.reviews.values()):
            place.update({name: None for name in ("user", "person") if place.get(name) == person})
        for pull in self.pulls.values():
            pull["fork"] = pull["fork"] and pull["user"] is not None

    def close(self, person: str | None, number: int) -> None:
        self.event(number, "close", person)
        self.item(number).update({"state": "closed", "closed_at": self.now})

    def reopen(self, person: str, number: int) -> None:
        self.event(number, "reopen", person)
        self.item(number).update({"state": "open", "closed_at": None})

    def change(self, number: int, **fields: Any) -> None:
        kinds = {"title": "change_title", "base": "change_target_branch", "labels": "label"}
        for name in fields:
            if name in kinds:
                self.event(number, kinds[name], self.pulls[number]["user"])
        self.touch(number)
        self.pulls[number] |= fields

    # -- what git does

    def follow(self) -> None:
        """Mark pull requests as merged whose heads came into their bases, where the repository is set up so."""
        for number, main in self.arrived() if self.settings["autodetect_manual_merge"] else ():
            self.lag -= 1
            if self.lag < 0:
                self.event(number, "merge_pull", None)
                merged = {"merged_at": self.now, "merge_commit_sha": main, "merged_by": self.merger(main)}
                self.pulls[number] |= {"state": "closed", **merged}

    # -- what it answers with

    def _pull(self, number: int, *, whole: bool = True) -> Fields:
        pull = self.pulls[number]
        fields = {**deepcopy(recorded.PULL), "id": number + 50, "number": number, "user": self.account(pull["user"])}
        fields |= {name: pull[name] for name in ("title", "body", "state", "merge_commit_sha")}
        fields |= {name: self.stamp(pull[name]) for name in ("created_at", "updated_at", "closed_at", "merged_at")}
        fields |= {"merged": bool(pull["merged_at"]), "labels": [self._label(name) for name in pull["labels"]]}
        fields["merged_by"] = self.account(pull["merged_by"]) if pull.get("merged_by") else None
        fields["html_url"] = f"{HOME}/moot/game/pulls/{number}"
        fields["comments"] = sum(said["number"] == number for said in self.said.values())
        branch = pull.get("ref", "patch")
        fields["head"] |= {"ref": branch, "label": branch, "sha": pull["head"]}
        fields["head"]["repo"] = {**fields["head"]["repo"], "updated_at": self.stamp(pull["pushed_at"])}
        fields["head"]["repo"] |= {"full_name": "moot/game"} if "ref" in pull else {}
        fields["base"] |= {"ref": pull["base"], "label": pull["base"]}
        if not pull["fork"]:
            fields["head"] |= {"repo": None, "repo_id": 0, "ref": f"refs/pull/{number}/head"}
        fields |= {"draft": pull["draft"]} if self.generation.drafts else {}
        return fields | ({"pin_order": 0} if self.generation.new else {})

    def _label(self, name: str) -> Fields:
        return {"id": 1, "name": name, "color": "00aabb", "description": "", "url": f"{API}{PLACE}/labels/1"}

    def _issue(self, number: int) -> Fields:
        issue = self.item(number)
        kind = "pulls" if number in self.pulls else "issues"
        fields = {"id": number + 50, "number": number, "user": self.account(issue["user"]), "comments": 0}
        fields |= {name: issue[name] for name in ("title", "body", "state")}
        fields |= {name: self.stamp(issue[name]) for name in ("created_at", "updated_at", "closed_at")}
        fields |= {"html_url": f"{HOME}/moot/game/{kind}/{number}", "pull_request": None, "assignees": None}
        fields |= {"comments": sum(said["number"] == number for said in self.said.values()), "is_locked": False}
        fields |= {"original_author": issue.get("original_author", "")}
        fields["labels"] = [self._label(name) for name in issue["labels"]]
        if number in self.pulls:
            merged = self.stamp(issue["merged_at"])
            fields["pull_request"] = {"merged": bool(issue["merged_at"]), "merged_at": merged}
        return fields

    def _comment(self, name: int) -> Fields:
        said = self.said[name]
        kind = "pulls" if said["number"] in self.pulls else "issues"
        home = f"{HOME}/moot/game/{kind}/{said['number']}"
        fields = {**deepcopy(recorded.COMMENT), "id": name, "body": said["body"], "user": self.account(said["person"])}
        fields |= {"html_url": f"{home}#issuecomment-{name}", "issue_url": "", "pull_request_url": ""}
        fields |= {"original_author": said.get("original_author", "")}
        fields["pull_request_url" if kind == "pulls" else "issue_url"] = home
        return fields | {at: self.stamp(said[at]) for at in ("created_at", "updated_at")}

    def _happening(self, event: Fields) -> Fields:
        fields = {"id": event["id"], "type": event["type"], "body": event.get("body", "")}
        fields |= {"user": self.account(event["person"]), "review_id": event.get("review_id", 0)}
        fields |= {"label": self._label(event["label"])} if "label" in event else {}
        return fields | {at: self.stamp(event[at]) for at in ("created_at", "updated_at")}

    def _review(self, name: int) -> Fields:
        review = self.reviews[name]
        fields = {**deepcopy(recorded.REVIEW), "id": name, "user": self.account(review["user"])}
        fields |= {k: review[k] for k in ("state", "body", "commit_id", "stale", "dismissed")}
        fields |= {"comments_count": len(review["lines"])}
        fields |= {"official": False, "submitted_at": self.stamp(review["submitted_at"])}
        place = f"#issuecomment-{review['place']}" if review["place"] else ""
        fields["html_url"] = f"{HOME}/moot/game/pulls/{review['number']}{place}"
        return fields | ({"updated_at": self.stamp(self.now)} if self.generation is GITEA else {})

    # -- requests

    def answer(self, request: httpx.Request) -> httpx.Response:
        assert request.url.host == httpx.URL(HOME).host, "that is another host"
        path, query = request.url.path.removeprefix("/git/api/v1"), dict(request.url.params)
        body = json.loads(request.content) if request.content else None
        described = self.generation.described
        if path == "/git/api/forgejo/v1/version":  # of which neither description speaks
            known = {"version": f"7.0.0-dev-{self.generation.version}"}
            return httpx.Response(200, json=known) if self.generation.forgejo else httpx.Response(404, json=NOT_FOUND)
        old_words = path.endswith("/merge") and self.generation is not GITEA  # its models are those of today
        check_request("forgejo" if old_words else described, request.method, path, query, body)
        if request.headers.get("Authorization") != f"token {TOKEN}":
            return httpx.Response(401, json={"message": "token is required", "url": f"{HOME}/api/swagger"})
        self.follow()
        status, data, headers = self._answer(request.method, path, query, body)
        check_answer(described, request.method, path, status, without(data, "username"))
        headers["Date"] = format_datetime(datetime.fromtimestamp(self.now, UTC), usegmt=True)
        headers["Content-Type"] = "application/json;charset=utf-8"
        content = b"" if status == httpx.codes.NO_CONTENT else json.dumps(data).encode()
        return httpx.Response(status, headers=headers, content=content)

    def _answer(self, method: str, path: str, query: dict[str, str], body: Any) -> tuple[int, Any, dict[str, str]]:
        place = path.removeprefix(PLACE)
        for pattern, act in self._TABLE.items():
            wanted, _, form = pattern.partition(" ")
            found = re.fullmatch(form.replace("#", r"(\d+)").replace("SHA", "([0-9a-f]{40})"), place)
            if found and wanted == method:
                numbers = [int(each) if each.isdigit() and len(each) < 40 else each for each in found.groups()]
                if numbers and not isinstance(numbers[0], str) and self._is_slow(numbers[0]):
                    break
                status, data = act(self, *numbers, query=query, body=body)
                return self._paged(form, status, data, query)
        return 404, NOT_FOUND, {}

    def _is_slow(self, number: int) -> bool:
        """Say whether the queue has not come to a pull request yet."""
        self.slow[number] = self.slow.get(number, 0) - 1
        return self.slow[number] >= 0

    def _paged(self, form: str, status: int, data: Any, query: dict[str, str]) -> tuple[int, Any, dict[str, str]]:
        old = not self.generation.new
        if not isinstance(data, list) or form in _WHOLE or (old and form == "/pulls/#/reviews"):
            total = {} if old or not isinstance(data, list) else {"X-Total-Count": str(len(data))}
            return status, data, total
        page, size = int(query.get("page", 1)), min(int(query.get("limit", 30)), self.pages)
        part = data[(page - 1) * size : page * size]
        shown = [each for each in part if each is not None]
        if form == "/issues/#/timeline":
            return status, shown or None, {"X-Total-Count": str(len(shown))}
        total = {} if old and form == "/issues/comments" else {"X-Total-Count": str(len(data))}
        return status, shown, total

    def _get_person(self, login: str, query: dict[str, str], body: Any) -> tuple[int, Any]:
        return (200, self.account(login)) if login in self.accounts else (404, NOT_FOUND)

    def _get_pulls(self, query: Fields, body: Any) -> tuple[int, Any]:
        return self._listed(query, newest_first=query.get("sort") == "recentupdate")

    def _patch_issue(self, number: int, query: dict[str, str], body: Any) -> tuple[int, Any]:
        item = self.item(number)
        if item.get("merged_at"):
            return 412, {"message": "cannot change state of this pull request, it was already merged"}
        if body["state"] == "closed" and item["state"] == "open":
            self.close(self.robot, number)
        return 201, self._pull(number) if number in self.pulls else self._issue(number)

    def _post_merge(self, number: int, query: dict[str, str], body: Any) -> tuple[int, Any]:
        """Take it from somebody who may merge that a commit of the branch has merged a pull request; nothing else."""
        pull = self.pulls[number]
        commit = body.get("merge_commit_id" if self.generation is GITEA else "MergeCommitID", "")
        by_hand = (body.get("do") or body.get("Do")) == "manually-merged"
        tip = str(self.repo.references[f"refs/heads/{pull['base']}"].target)
        if pull["state"] != "open":
            return 404, NOT_FOUND
        if not by_hand or not self.settings["allow_manual_merge"]:
            return 405, {"message": "invalid merge style", "url": f"{HOME}/api/swagger"}
        if not self._is_on(tip, commit):
            return 409, {"message": "Wrong commit ID", "url": f"{HOME}/api/swagger"}
        self.event(number, "merge_pull", self.robot)
        pull |= {"state": "closed", "merged_at": self.now, "merge_commit_sha": commit, "merged_by": self.robot}
        return 200, None

    def _is_on(self, tip: str, commit: str) -> bool:
        return commit == tip or (len(commit) == len(tip) and descends(self.repo, tip, commit))

    def _get_reviews(self, number: int, query: dict[str, str], body: Any) -> tuple[int, Any]:
        mine = [n for n, review in self.reviews.items() if review["number"] == number]
        hidden = [n for n in mine if self.reviews[n]["state"] == "PENDING" and not self.is_admin]
        shown = [None if n in hidden else self._review(n) for n in mine]
        return 200, shown if self.generation.new else [each for each in shown if each is not None]

    def _post_review(self, number: int, query: dict[str, str], body: Any) -> tuple[int, Any]:
        """Review as the token's account: a word that the server does not know begins a review, and nobody is told."""
        event = body.get("event", "")
        if event in ("APPROVED", "REQUEST_CHANGES") and self.pulls[number]["user"] == self.robot:
            return 422, {"message": "approve your own pull is not allowed", "url": f"{HOME}/api/swagger"}
        name = self.begin(self.robot, number)
        if event in ("APPROVED", "REQUEST_CHANGES", "COMMENT"):
            self.submit(name, event, body.get("body", ""))
        return 200, self._review(name)

    def _post_dismissal(self, number: int, name: int, query: dict[str, str], body: Any) -> tuple[int, Any]:
        try:
            self.dismiss(self.robot, name)
        except PermissionError as error:
            return 403, {"message": str(error), "url": f"{HOME}/api/swagger"}
        return 200, self._review(name)

    def _get_lines(self, number: int, name: int, query: dict[str, str], body: Any) -> tuple[int, Any]:
        found = [self._happening(event) for event in self.reviews[name]["lines"]]
        kept = ("id", "body", "user", "created_at", "updated_at")
        return 200, [{k: each[k] for k in kept} | {"pull_request_review_id": name} for each in found]

    def _get_issues(self, query: dict[str, str], body: Any) -> tuple[int, Any]:
        labels = [name for issue in (*self.issues.values(), *self.pulls.values()) for name in issue["labels"]]
        asked = [name for name in query.get("labels", "").split(",") if name in labels]  # others keep nothing back
        state, kind, since = query.get("state", "open"), query.get("type", ""), query.get("since")
        found = []
        for number, issue in {**self.issues, **self.pulls}.items():
            if issue["updated_at"] + self.index_lag <= self.now:
                self.indexed[number] = dict(issue)
        for number, issue in sorted(self.indexed.items(), reverse=True):
            fits = state in ("all", issue["state"]) and all(name in issue["labels"] for name in asked)
            fits &= not kind or kind == ("pulls" if number in self.pulls else "issues")
            late = not self.generation.new or not since or issue["updated_at"] >= _seconds(since)
            found += [self._issue(number)] if fits and late else []
        return 200, found

    def _get_issue(self, number: int, query: dict[str, str], body: Any) -> tuple[int, Any]:
        return 200, self._issue(number)

    def _get_comments(self, query: dict[str, str], body: Any) -> tuple[int, Any]:
        return 200, [
            self._comment(n) for n, said in self.said.items() if said["updated_at"] >= _seconds(query["since"])
        ]

    def _post_comment(self, number: int, query: dict[str, str], body: Any) -> tuple[int, Any]:
        return 201, self._comment(self.comment(self.robot, number, body["body"]))

    def _get_timeline(self, number: int, query: dict[str, str], body: Any) -> tuple[int, Any]:
        if not self.generation.new:
            return 404, NOT_FOUND
        events = self.timeline[number]
        return 200, [None if event["type"] == "code" else self._happening(event) for event in events]

    def _post_status(self, commit: str, query: dict[str, str], body: Any) -> tuple[int, Any]:
        self.statuses.append({"commit": commit, **body})
        fields = {**deepcopy(recorded.STATUS), "status": body["state"], "context": body["context"]}
        return 201, fields | {k: body.get(k, "") for k in ("description", "target_url")}

    def _get_repository(self, query: dict[str, str], body: Any) -> tuple[int, Any]:
        return 200, deepcopy(recorded.REPOSITORY) | (self.settings if self.generation.tells else {})

    def _patch_repository(self, query: dict[str, str], body: Any) -> tuple[int, Any]:
        if body.get("has_pull_requests"):  # without it the others are ignored
            self.settings |= {name: body[name] for name in self.settings if name in body}
        return self._get_repository(query, body)

    def _get_version(self, query: dict[str, str], body: Any) -> tuple[int, Any]:
        return 200, {"version": self.generation.version}

    def _get_settings(self, query: dict[str, str], body: Any) -> tuple[int, Any]:
        return 200, {"max_response_items": self.pages, "default_paging_num": 30}

    def _get_user(self, query: dict[str, str], body: Any) -> tuple[int, Any]:
        account = {**self.account(self.robot), "email": address_of(self.robot)}  # to oneself it is told in full
        return (200, account) if self.may_ask_who else (403, {"message": "no"})

    def _get_users(self, query: dict[str, str], body: Any) -> tuple[int, Any]:
        found = [name for name, number in self.accounts.items() if str(number) == query.get("uid")]
        return 200, {"ok": True, "data": [self.account(name) for name in found]}

    _TABLE: dict[str, Callable[..., tuple[int, Any]]] = {  # noqa: RUF012
        "GET ": _get_repository,
        "PATCH ": _patch_repository,
        "GET /version": _get_version,
        "GET /settings/api": _get_settings,
        "GET /user": _get_user,
        "GET /users/search": _get_users,
        "GET /users/([^/]+)": _get_person,
        "GET /pulls": _get_pulls,
        "POST /pulls": Emulated._post_pull,
        "GET /pulls/#": Emulated._get_pull,
        "PATCH /pulls/#": _patch_issue,
        "POST /pulls/#/merge": _post_merge,
        "GET /pulls/#/reviews": _get_reviews,
        "POST /pulls/#/reviews": _post_review,
        "GET /pulls/#/reviews/#/comments": _get_lines,
        "POST /pulls/#/reviews/#/dismissals": _post_dismissal,
        "GET /issues": _get_issues,
        "GET /issues/#": _get_issue,
        "PATCH /issues/#": _patch_issue,
        "GET /issues/comments": _get_comments,
        "GET /issues/comments/#": Emulated._get_comment,
        "PATCH /issues/comments/#": Emulated._patch_comment,
        "DELETE /issues/comments/#": Emulated._delete_comment,
        "GET /issues/#/comments": Emulated._get_said,
        "POST /issues/#/comments": _post_comment,
        "GET /issues/#/timeline": _get_timeline,
        "POST /statuses/SHA": _post_status,
    }


def _seconds(stamp: str) -> int:
    return int(datetime.fromisoformat(stamp).timestamp())
