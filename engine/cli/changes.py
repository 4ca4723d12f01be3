"""Rule-changes from files: what a rule file proposes, compared with the law in force."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.cli.options import pair_of
from engine.problems import Position, fail
from engine.session import Session
from engine.text import load_yaml, read_rule

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
    """Return the change that a rule file stands for.

    A file without `uid` enacts; one with the `uid` of a rule in force amends, transmutes or retitles it. Raises every
    problem of the file, and E-TARGET where it changes nothing or a rule that is not in force.
    """
    proposed = parts_of(path)
    uid, _number = proposed.pop("uid", None), proposed.pop("rule", None)
    if uid is None:
        return {"enact": proposed}
    present = session.documents.get(f"rules/{uid}")
    if present is None:
        message = f"no rule with the uid {uid} is in force"
        raise fail("E-TARGET", message, Position(str(path)), "leave `rule` and `uid` out of a new rule's file")
    return difference(
        str(uid), {k: v for k, v in present.items() if k not in ("rule", "uid", "source")}, proposed, path
    )


def parts_of(path: Path) -> Record:
    """Return what a rule file says; raises every problem of the file."""
    text = path.read_text("utf-8")
    read_rule(text, str(path))
    parts: Record = load_yaml(text, str(path))
    return parts


def difference(uid: str, present: Record, proposed: Record, path: Path) -> Record:
    """Return the change that leads from the rule in force to the file: a transmutation, a new title, or an amendment."""
    changed = {part: proposed.get(part) for part in (*present, *proposed) if present.get(part) != proposed.get(part)}
    if not changed:
        message = f"this is rule {uid} as it is in force"
        raise fail("E-TARGET", message, Position(str(path)), "change something in the file")
    status = (proposed.get("labels") or {}).get("status")
    if set(changed) == {"labels"} and status:
        return {"transmute": uid, "to": status}
    if set(changed) == {"title"}:
        return {"retitle": uid, "to": changed["title"]}
    return {"amend": uid, **{part: EMPTY.get(part, {}) if value is None else value for part, value in changed.items()}}
