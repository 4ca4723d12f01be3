"""`moot act`: do something in a game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from engine.cli.options import at_option, commit_option, game_option, json_option, moment_of, pair_of, value_of
from engine.cli.outcomes import show_done
from engine.cli.terminal import Terminal
from engine.problems import fail
from engine.session import Session
from engine.text import read_action, read_rule

ONE_TEXT = {"state": "text", "comment": "text"}


@click.command("act")
@click.argument("action", required=False)
@click.argument("words", nargs=-1, metavar="[ARGUMENT=VALUE]…")
@click.option("-b", "--by", metavar="PLAYER", help="Who acts.")
@click.option("--as", "as_", metavar="OFFICE", help="The office that is acted in.")
@click.option(
    "-r", "--rule", "rules", multiple=True, type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE", help="A rule file to propose: a new rule, or a changed copy of one in force.",
)  # fmt: skip
@click.option("--repeal", "repeals", multiple=True, metavar="NUMBER", help="A rule whose repeal to propose.")
@click.option("--transmute", "transmutes", multiple=True, metavar="NUMBER=STATUS", help="A rule to transmute.")
@click.option(
    "-f",
    "--file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Take the act from an action file.",
)
@game_option
@at_option
@commit_option
@json_option
@click.pass_obj
def command(terminal: Terminal, game: Path, at: str | None, commit: bool, **given: Any) -> int:
    """Do ACTION in a game as a player, and record what comes of it, accepted or refused.

    Examples:

    \b
      moot act propose --by ann title="A dragon" --rule dragon.yaml
      moot act vote --by bob proposal=301 choice=for
      moot act state --by bob "This rule is paradoxical."
      moot act judge --by eve --as judge ruling="It is legal." reasons="Rule 116."
    """
    with Session.open(game, writing=True) as session:
        act = act_of(session, **given)
        done = session.act(act["by"], act["do"], act["with"], as_=act.get("as"), at=moment_of(at, session.at))
        if commit:
            session.folder.commit(f"{act['by']}: {act['do']}", at=session.at)
        return show_done(terminal, session, done)


def act_of(
    session: Session,
    action: str | None,
    words: tuple[str, ...],
    by: str | None,
    as_: str | None,
    rules: tuple[Path, ...],
    repeals: tuple[str, ...],
    transmutes: tuple[str, ...],
    file: Path | None,
) -> dict[str, Any]:
    """Return the act that the command line or an action file describes."""
    act: dict[str, Any] = {"with": {}}
    if file:
        act |= read_action(file.read_text("utf-8"), str(file))
    act |= {key: value for key, value in {"do": action, "by": by, "as": as_}.items() if value}
    if not act.get("do") or not act.get("by"):
        raise click.UsageError("Say what to do and who does it: moot act ACTION --by PLAYER, or --file.")
    act["with"] = {**act["with"], **arguments_of(session, str(act["do"]), words)}
    changes = [change_of(session, rule) for rule in rules]
    changes += [{"repeal": number} for number in repeals]
    changes += [{"transmute": n, "to": status} for n, status in (pair_of(t, "A transmutation") for t in transmutes)]
    if changes:
        act["with"]["changes"] = [*act["with"].get("changes", ()), *changes]
    return act


def arguments_of(session: Session, do: str, words: tuple[str, ...]) -> dict[str, Any]:
    """Return the arguments of an act from `name=value` words, each as its declared type; one bare word is its text."""
    declared = session.actions().get(do, {}).get("arguments") or {}
    if len(words) == 1 and "=" not in words[0]:
        texts = [name for name, spec in declared.items() if spec.get("type") in ("text", "string")]
        if len(texts) == 1:
            return {texts[0]: words[0]}
    pairs = dict(pair_of(word, "An argument") for word in words)
    return {name: typed(word, declared.get(name, {}).get("type", "")) for name, word in pairs.items()}


def typed(word: str, kind: str) -> Any:
    """Return a word of the command line as a value of a declared type: texts and rule numbers stay words."""
    return word if kind in ("text", "string", "rule", "choice", "player", "office", "thing") else value_of(word)


def change_of(session: Session, path: Path) -> dict[str, Any]:
    """Return the rule-change that a rule file stands for, compared with the law in force.

    A file without `uid` enacts; one with the `uid` of a rule in force amends, transmutes or retitles it.
    Raises E-TARGET where it changes nothing or several things at once.
    """
    proposed = rule_parts(path)
    uid = proposed.pop("uid", None)
    proposed.pop("rule", None)
    if uid is None:
        return {"enact": proposed}
    present = session.documents.get(f"rules/{uid}")
    if present is None:
        raise fail(
            "E-TARGET", f"{path}: no rule with the uid {uid} is in force", None, "leave `uid` out for a new rule"
        )
    present = {part: value for part, value in present.items() if part not in ("rule", "uid", "source")}
    changed = {part: proposed.get(part) for part in {*present, *proposed} if present.get(part) != proposed.get(part)}
    if not changed:
        raise fail("E-TARGET", f"{path}: this is rule {uid} as it is in force", None, "change something in the file")
    if set(changed) == {"labels"} and (status := (changed["labels"] or {}).get("status")):
        return {"transmute": uid, "to": status}
    if set(changed) == {"title"}:
        return {"retitle": uid, "to": changed["title"]}
    empty: dict[str, Any] = {"labels": {}, "title": "", "text": "", "script": "", "examples": []}
    return {"amend": uid, **{part: empty.get(part, {}) if value is None else value for part, value in changed.items()}}


def rule_parts(path: Path) -> dict[str, Any]:
    """Return the parts that a rule file gives; raises every problem of the file."""
    from engine.text import load_yaml

    text = path.read_text("utf-8")
    read_rule(text, str(path))
    parts: dict[str, Any] = load_yaml(text, str(path))
    return parts
