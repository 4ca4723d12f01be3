"""Making a pull request of files: a commit on top of the game's branch, without work tree or index."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from folkmoot.core.clone_files import write_whole
from folkmoot.core.documents import RuleMeta
from folkmoot.core.keys import LAW
from folkmoot.core.problems import Position, ProblemError, fail
from folkmoot.core.records import Arguments, ProposedChange
from folkmoot.core.values import in_a_row
from folkmoot.files.canonical import UnwritableError, write_yaml
from folkmoot.files.reader import read_action, read_rule
from folkmoot.files.rewrite import render_rule
from folkmoot.files.schema import json_schema
from folkmoot.forges.git_transport import Git, LateError
from folkmoot.forges.local.letters import on_one_line
from folkmoot.journal.git_library import pygit2
from folkmoot.journal.git_objects import write_tree
from folkmoot.journal.git_programs import STATUS_SECONDS, no_status
from folkmoot.journal.tree import GameTree
from folkmoot.player.remote_view import RemoteView
from folkmoot.player.voting import utf8
from folkmoot.referee.content import Content, read_content

LONGEST_NAME = 40
_DEVICE = re.compile(r"con|prn|aux|nul|com\d|lpt\d")


class Proposal(Struct, frozen=True, kw_only=True):
    """A commit that is ready to be a pull request's head, and what it does."""

    commit: str
    title: str
    content: Content


class Draft(Struct):
    """Files of a game that a pull request is to set (bytes) or take away (None), by path inside the game's folder.

    Every method raises ProblemError with all that is wrong with what it is given, at its place in that file.
    """

    game: GameTree
    files: dict[str, bytes | None] = field(default_factory=dict)
    titles: list[str] = field(default_factory=list)
    acts: list[str] = field(default_factory=list)

    # -- rules

    def rule(self, text: str, file: str) -> None:
        """Take a rule's file: a new rule, or one in force (by its `uid`) as it is to become."""
        read = read_rule(text, file)
        uid, title = read.get("uid"), read["title"]
        if not uid:
            self._set(self._free("rules", title), text, file)
            self.titles.append(title)
            return
        meta = self._rules().get(uid)
        if meta is None or not meta["in_force"]:
            message = f"no rule with the uid {uid} is in force"
            raise fail("E-TARGET", message, Position(file), "leave `rule` and `uid` out of a new rule's file")
        path = f"rules/{uid}.yaml"
        if self._text(path) == text.replace("\r\n", "\n"):
            message = f"this is rule {uid} as it is in force"
            raise fail("E-TARGET", message, Position(file), "change something in the file")
        self._set(path, text, file)
        self.titles.append(f"Amend rule {self.number(uid)}: {title}")

    def repeal(self, number: str) -> None:
        """Take away a rule in force, named by its number or uid."""
        path = self.path_of(number)
        title = read_rule(self._text(path), self.game.shown(path))["title"]
        self._set(path, None, f"rule {number}")
        self.titles.append(f"Repeal rule {number}: {title}")

    def transmute(self, number: str, status: str) -> None:
        """Give a rule in force, or what it is to become, another status."""
        path = self.path_of(number)
        kept = self.files.get(path)
        if path in self.files and kept is None:
            raise fail("E-CONFLICT", f"rule {number} cannot be repealed and transmuted at once", None, "choose one")
        text = kept.decode() if kept is not None else self._text(path)
        document = read_rule(text, self.game.shown(path))
        labels = dict(document.get("labels") or {})
        if labels.get("status") == status:
            raise fail("E-TARGET", f"rule {number} is {status} already", None, "name another rule or status")
        changed = {**document, "labels": {**labels, "status": status}, "source": text}
        self.files[path] = render_rule(changed).encode()
        self.titles.append(f"Make rule {number} {status}: {document['title']}")

    def rule_text(self, number: str) -> str:
        """Return the text of the file of a rule in force, named by its number or uid."""
        return self._text(self.path_of(number))

    # -- acts

    def act(self, text: str, file: str) -> None:
        """Take the file of an act or request."""
        act = read_action(text, file)
        if "by" in act:
            raise fail("E-CONFLICT", "you act, and nobody else: it says who by `by`", Position(file), "take `by` out")
        self._set(self._free("inbox", str(act["do"])), text, file)
        self.acts.append(str(act["do"]).replace("_", " ").capitalize())

    # -- the game as it is

    def path_of(self, number: str) -> str:
        """Return the file of a rule in force inside the game's folder; raises E-NO-SUCH, naming those in force."""
        in_force = {uid: str(meta["number"]) for uid, meta in self._rules().items() if meta["in_force"]}
        found = [uid for uid, known in in_force.items() if known == number] or [*{number} & in_force.keys()]
        if not found:
            hint = f"in force: {in_a_row(in_force.values())}"
            raise fail("E-NO-SUCH", f"no rule {number} is in force", None, hint)
        return f"rules/{found[0]}.yaml"

    def number(self, uid: str) -> str:
        """Return the number of a rule by its uid."""
        return str((self._rules().get(uid) or {"number": uid})["number"])

    def _rules(self) -> Mapping[str, RuleMeta]:
        return self.game.kept(LAW).get("rules") or {}

    def _text(self, path: str) -> str:
        return (self.game.read(path) or b"").decode()

    def _set(self, path: str, text: str | None, what: str) -> None:
        if path in self.files:
            raise fail("E-CONFLICT", f"{what}: this rule is changed twice here", None, "give each rule once")
        self.files[path] = None if text is None else utf8(text)

    def _free(self, folder: str, title: str) -> str:
        """Return a path that no file has yet, named after a title."""
        name = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:LONGEST_NAME].strip("-")
        name = f"{name or folder.rstrip('s')}-1" if not name or _DEVICE.fullmatch(name) else name
        tried, count = name, 2
        while f"{folder}/{tried}.yaml" in self.files or self.game.read(f"{folder}/{tried}.yaml") is not None:
            tried, count = f"{name}-{count}", count + 1
        return f"{folder}/{tried}.yaml"

    # -- the pull request

    def proposal(self, view: RemoteView, title: str = "", body: str = "") -> Proposal:
        """Store the commit that holds these files, and return it with what it does.

        Nothing is sent and no ref is moved. Raises every problem for which a referee would refuse it, and E-FORGE where
        git does not know who the person is.
        """
        named = on_one_line(title) or on_one_line("; ".join(self.titles or self.acts)) or "Change the rules"
        changes = {f"{self.game.path}/{path}": data for path, data in self.files.items()}
        root = view.repo[view.main].peel(pygit2.Tree).id
        tree = write_tree(view.repo, root, changes)
        message = f"{named}\n\n{body.strip()}\n" if body.strip() else f"{named}\n"
        utf8(message)
        commit = view.repository.write(str(tree), [view.main], message, view.author)
        return Proposal(commit=commit, title=named, content=checked(read_content(view.repo, view.main, commit)))


def checked(content: Content) -> Content:
    """Return a pull request's content; raises every problem of it, and E-ARGS where it does nothing."""
    if content.problems:
        raise ProblemError(*content.problems)
    if not any(game.changes or game.acts for game in content.games):
        hint = "change, add or remove a file below state/<game>/rules/ or inbox/"
        raise fail("E-ARGS", "this pull request would change no rule and do nothing", None, hint)
    return content


def act_text(do: str, args: Arguments, as_: str | None) -> str:
    """Return the file of an act for the inbox; raises E-ARGS for one that no file can hold."""
    try:
        return write_yaml({"do": do, **({"as": as_} if as_ else {}), **({"args": dict(args)} if args else {})})
    except UnwritableError as error:
        raise fail("E-ARGS", f"no file can hold this: {error}", None, "say it otherwise") from None


# -- the branch as it is


def branch_content(view: RemoteView) -> tuple[str, Content] | None:
    """Return the checked-out commit and its content, where it has rules or acts that the game's branch lacks."""
    try:
        head = str(view.repo.head.peel(pygit2.Commit).id)
    except pygit2.GitError:
        return None
    if head == view.main or view.repo.descendant_of(view.main, head):
        return None
    content = read_content(view.repo, view.main, head)
    return (head, content) if content.touches_game else None


def uncommitted(view: RemoteView) -> list[str]:
    """Return the files of rules and acts in the work tree that are not committed as they are. Raises E-GIT."""
    if view.repo.is_bare:
        return []
    where = ["--", ":(glob)state/*/rules/**", ":(glob)state/*/inbox/**"]
    git = Git(view.repository.refs.git.path, STATUS_SECONDS)
    try:
        changed = git.look(["diff", "--name-only", "--no-renames", "-z", "HEAD", *where], allowed=(0, 128))
        loose = git.look(["ls-files", "--others", "--exclude-standard", "-z", *where])
    except LateError:
        raise no_status(Path(view.repo.workdir)) from None
    return sorted({name for name in (changed + "\0" + loose).split("\0") if name})


# -- drafts that are kept


def draft_file(view: RemoteView, name: str) -> Path:
    """Return where the text of a rule is kept while it is written: in git's own folder, which is never committed.

    The schema that its first line names for the editor is written beside it.
    """
    path = Path(view.repo.path) / "folkmoot" / "drafts" / f"{name}.yaml"
    schema = path.parent.parent / SCHEMA.removeprefix("../")
    write_whole(schema, json.dumps(json_schema("rule"), ensure_ascii=False).encode())
    return path


SCHEMA = "../schemas/rule.json"
EDITOR_LINE = f"# yaml-language-server: $schema={SCHEMA}\n"
"""What editors that know YAML find the schema of a draft by; it is taken out of what is sent."""
TEMPLATE = f"""\
{EDITOR_LINE}# A new rule. Fill it in, save it and leave the editor; leave the file as it is to give up.
# These lines are taken out, your own comments stay. `moot propose --from` lists rules to begin with instead.
title: ""
# What the law says, in words. This is what everybody votes on.
text: |

# Labels as this game's law uses them.
labels: {{status: mutable}}
# What the rule does by itself, if anything (`moot check FILE` finds mistakes, `moot try FILE` shows what it would do):
# script: |
#   def on_proposal_adopted(e):
#       award(e.proposal.author, "score", 1, why = "a proposal was adopted")
"""


def without_comments(text: str, template: str) -> str:
    """Return a text that was written into a template, without the template's own comments."""
    own = {line for line in template.splitlines() if line.startswith("#")}
    return "\n".join(line for line in text.replace("\r\n", "\n").split("\n") if line not in own)


def described(changes: Sequence[ProposedChange], number: Any = str) -> list[str]:
    """Return what changes do as sentences; `number` returns a rule's number from its uid."""
    return [_sentence(change, number) for change in changes]


def _sentence(change: ProposedChange, number: Any) -> str:
    match change:
        case {"enact": {"title": title, "once": True}}:
            return f"Carry out once: {title}"
        case {"enact": rule}:
            return f"Enact a new rule: {rule['title']}"
        case {"amend": uid, **rest}:
            parts = [part for part in rest if part not in ("source", "revision")]
            return f"Amend rule {number(uid)} ({', '.join(parts) or 'comments'})"
        case {"repeal": uid}:
            return f"Repeal rule {number(uid)}"
        case {"transmute": uid, "to": to}:
            return f"Make rule {number(uid)} {to}"
        case {"retitle": uid, "to": to}:
            return f"Call rule {number(uid)} “{to}”"
    return str(change)
