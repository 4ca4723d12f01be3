"""Rule-changes from files: what a rule file proposes, compared with the law in force."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pygit2
from msgspec.structs import replace

from folkmoot.cli.options import pair_of
from folkmoot.core.documents import RuleDocument
from folkmoot.core.misspelt import meant_by
from folkmoot.core.problems import Position, fail
from folkmoot.files.named_files import read_bytes, read_file
from folkmoot.files.proposed_changes import changes_between
from folkmoot.files.reader import read_rule, rule_of
from folkmoot.game.session import Session
from folkmoot.referee.content import Content

Record = dict[str, Any]


def changes_of(
    session: Session, rules: tuple[Path, ...], repeals: tuple[str, ...], transmutes: tuple[str, ...]
) -> list[Record]:
    """Return the changes that rule files, repeals and transmutations (`203=immutable`) stand for."""
    found = [change for path in rules for change in changes_in(session, path)]
    found += [{"repeal": number} for number in repeals]
    law = [*session.rules()]
    pairs = [checked_status(law, *pair_of(word, "A transmutation")) for word in transmutes]
    return found + [{"transmute": number, "to": status} for number, status in pairs]


def checked_status(rules: Iterable[Record | RuleDocument], number: str, status: str) -> tuple[str, str]:
    """Return a transmutation to a status that some rule has; raises E-ARGS for any other word."""
    number, status = number.strip(), status.strip()
    known = sorted({str((rule.get("labels") or {}).get("status")) for rule in rules} - {"None"})
    if status in known or not known:
        return number, status
    near = meant_by(status, known)
    meant = f"did you mean `--transmute {number}={near}`?" if near else ""
    hint = meant or "a new status comes by a rule's file, which --rule names"
    raise fail("E-ARGS", f"no rule here has the status {status!r}; they are {' or '.join(known)}", None, hint)


def changes_in(session: Session, path: Path) -> list[Record]:
    """Return the changes that a rule file stands for, with the file's own text, so that its comments live.

    A file without `uid` enacts; one with the `uid` of a rule in force amends, transmutes or retitles it. Raises every
    problem of the file, and E-TARGET where it changes nothing or a rule that is not in force.
    """
    text = read_file(path)
    proposed = read_rule(text, str(path))
    uid, _number = proposed.pop("uid", None), proposed.pop("rule", None)
    if uid is None:
        return [{"enact": {**proposed, "source": text}}]
    present = session.documents.get(f"rules/{uid}")
    if present is None:
        message = f"no rule with the uid {uid} is in force"
        raise fail("E-TARGET", message, Position(str(path)), "leave `rule` and `uid` out of a new rule's file")
    found = changes_between(str(uid), rule_of(present), proposed, text)
    if not found:
        message = f"this is rule {uid} as it is in force"
        raise fail("E-TARGET", message, Position(str(path)), "change something in the file")
    return found


def as_given(repo: pygit2.Repository, commit: str, content: Content, files: Sequence[Path]) -> Content:
    """Return a commit's content with the files that were given in place of those they became, to speak of them."""
    tree, given = repo[commit].peel(pygit2.Tree), {read_bytes(path): str(path) for path in files}
    there = {path: tree[path] for game in content.games for path in game.files if path in tree}
    names = {path: given.get(blob.data, path) for path, blob in there.items() if isinstance(blob, pygit2.Blob)}
    games = (replace(game, files=tuple(names.get(path, path) for path in game.files)) for game in content.games)
    return replace(content, games=tuple(games))
