"""Rule-changes from files: what a rule file proposes, compared with the law in force."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.cli.options import pair_of
from engine.problems import Position, fail
from engine.session import Session
from engine.text import read_rule, rule_document, rule_of

Record = dict[str, Any]
EMPTY: Record = {"labels": {}, "title": "", "text": "", "script": "", "examples": []}


def changes_of(
    session: Session, rules: tuple[Path, ...], repeals: tuple[str, ...], transmutes: tuple[str, ...]
) -> list[Record]:
    """Return the changes that rule files, repeals and transmutations (`203=immutable`) stand for."""
    found = [change_of(session, path) for path in rules]
    found += [{"repeal": number} for number in repeals]
    pairs = [pair_of(word, "A transmutation") for word in transmutes]
    return found + [{"transmute": number, "to": status} for number, status in pairs]


def change_of(session: Session, path: Path) -> Record:
    """Return the change that a rule file stands for, with the file's own text, so that its comments live.

    A file without `uid` enacts; one with the `uid` of a rule in force amends, transmutes or retitles it. Raises every
    problem of the file, and E-TARGET where it changes nothing or a rule that is not in force.
    """
    text = path.read_text("utf-8")
    proposed = rule_document(read_rule(text, str(path)))
    uid, _number = proposed.pop("uid", None), proposed.pop("rule", None)
    if uid is None:
        return {"enact": {**proposed, "source": text}}
    present = session.documents.get(f"rules/{uid}")
    if present is None:
        message = f"no rule with the uid {uid} is in force"
        raise fail("E-TARGET", message, Position(str(path)), "leave `rule` and `uid` out of a new rule's file")
    return difference(str(uid), rule_document(rule_of(present)), proposed, text, path)


def difference(uid: str, present: Record, proposed: Record, text: str, path: Path) -> Record:
    """Return the change that leads from the rule in force to the file: transmutation, new title, or amendment."""
    parts = [part for part in (*present, *(p for p in proposed if p not in present)) if part not in ("rule", "uid")]
    changed = {part: proposed.get(part) for part in parts if present.get(part) != proposed.get(part)}
    if not changed:
        message = f"this is rule {uid} as it is in force"
        raise fail("E-TARGET", message, Position(str(path)), "change something in the file")
    status = (proposed.get("labels") or {}).get("status")
    if set(changed) == {"labels"} and status:
        return {"transmute": uid, "to": status}
    if set(changed) == {"title"}:
        return {"retitle": uid, "to": changed["title"]}
    given = {part: EMPTY.get(part, {}) if value is None else value for part, value in changed.items()}
    return {"amend": uid, **given, "source": text}
