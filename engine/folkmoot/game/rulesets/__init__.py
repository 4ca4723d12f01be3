"""Rulesets: `ruleset.yaml`, one file a rule in `rules/`, and `lists/NAME.txt`; the packaged ones lie in this folder.

Wherever a ruleset is named, a path may stand instead of a packaged name: it begins with `./`, `../` or `/`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, cast

from folkmoot.core.clone_files import CloneFiles, read_whole
from folkmoot.core.digest import bytes_digest
from folkmoot.core.documents import Document, RuleDocument
from folkmoot.core.keys import number_key
from folkmoot.core.misspelt import meant_by
from folkmoot.core.problems import Position, Problem, ProblemError, fail
from folkmoot.core.records import Founding, ListSpec, Written
from folkmoot.core.word_lists import LISTS, NAME, flaw_of_list, in_order, spec_of
from folkmoot.files.named_files import read_found
from folkmoot.files.reader import locate, read_decided, read_history, read_rule, read_ruleset

FOLDER = Path(__file__).parent
HEAD = "ruleset.yaml"
RULES = "rules"
MOST_BASES = 8  # rulesets of which each extends the next
AS_WRITTEN = "pitch to_win language revision history offices_in_turn new_game former_players".split()
"""Parts of a ruleset's head that a founding has as they are."""


def names() -> list[str]:
    """Return the names of the packaged rulesets."""
    return sorted(entry.name for entry in FOLDER.iterdir() if (entry / HEAD).is_file())


def founding(name: str) -> Founding:
    """Return what a packaged ruleset founds a game with; raises E-NO-SUCH if there is none of that name."""
    if name not in names():
        near, known = meant_by(name, names()), ", ".join(names())
        meant = f"did you mean {near}? There are {known}" if near else f"choose one of {known}"
        raise fail("E-NO-SUCH", f"there is no ruleset {name!r}", hint=meant)
    law = _packaged(name)
    rest = {part: deepcopy(said) for part, said in law.items() if part not in ("rules", "history")}
    return cast(Founding, {**law, **rest, "rules": list(law["rules"])})


@cache
def _packaged(name: str) -> Founding:
    return founding_in(FOLDER / name)


def is_path(name: str) -> bool:
    """Whether a ruleset is named by the folder in which it lies.

    >>> [name for name in ("suber", "./tea", "..", "../tea", "/tmp/tea", "tea/two") if is_path(name)]
    ['./tea', '..', '../tea', '/tmp/tea']
    """
    return name in (".", "..") or name.startswith(("./", "../", "/"))


def folder_around(file: Path) -> Path | None:
    """Return the folder of the ruleset that a file belongs to, None where it belongs to none."""
    return next((folder for folder in file.resolve().parents if (folder / HEAD).is_file()), None)


def is_part(file: Path) -> bool:
    """Whether a file is what a ruleset in a folder is made of: its head, one of its rules, or of its past."""
    return file.name == HEAD or (
        file.parent.name in (RULES, HISTORY, DECIDED) and (file.parent.parent / HEAD).is_file()
    )


def founding_named(name: str, beside: Path) -> Founding:
    """Return what a ruleset founds a game with, packaged or named by its path; raises all problems of its files."""
    return founding_in(beside / name) if is_path(name) else founding(name)


def founding_for(name: str, file: Path) -> Founding:
    """Return what a ruleset founds that a scenario's file names; in a ruleset's folder its name means the folder."""
    around = folder_around(file)
    if around is not None and not is_path(name) and _name_of(around) == name:
        return founding_in(around)
    return founding_named(name, file.parent)


def number_for(name: str, beside: Path) -> dict[str, int]:
    """Return for how many players a ruleset is, named as for `founding_named`: `least`, `most`, as far as it says."""
    head = _head(beside / name) if is_path(name) else head_of(name)
    return dict(head.get("for_players") or {})


@cache
def head_of(name: str) -> Written:
    """Return the head of a packaged ruleset, an empty one where there is none of that name."""
    return _head(FOLDER / name) if name in names() else {}


def _head(folder: Path) -> Written:
    return read_ruleset(read_found(folder / HEAD), str(folder / HEAD))


def founding_in(folder: Path) -> Founding:
    """Return what the ruleset in a folder founds a game with; raises E-NO-SUCH, and every problem of its files."""
    law, problems = law_in(folder)
    if problems or law is None:
        raise ProblemError(*problems)
    if not law["rules"]:
        hint = f"write one file a rule in {folder / RULES}"
        raise fail("E-NO-SUCH", f"the ruleset in {folder} has no rules", None, hint)
    return law


def law_in(folder: Path, within: tuple[Path, ...] = ()) -> tuple[Founding | None, list[Problem]]:
    """Return the law of a ruleset's folder as far as its files are sound, and what is wrong with them."""
    file = folder / HEAD
    if not file.is_file():
        hint = f"write {HEAD} there, with `ruleset` (its name) and `title`"
        return None, [Problem("E-NO-SUCH", f"there is no ruleset in {folder}", None, hint)]
    try:
        text = read_found(file)
        head = read_ruleset(text, str(file))
    except ProblemError as error:
        return None, list(error.problems)
    base, problems = _base(folder, head, text, within)
    lists: dict[str, ListSpec] = {}
    try:
        lists = {**(base.get("lists") or {}), **read_lists(folder)}
    except ProblemError as error:
        problems += error.problems
    own: dict[str, RuleDocument] = {}
    for path, rule in _read(folder, RULES, read_rule, problems):
        if problem := problem_of_number(rule, path):
            problems.append(problem)
        else:
            uid = str(rule.get("uid") or rule["rule"])
            own[uid] = cast(RuleDocument, {**rule, "uid": uid})
    rules = {rule["uid"]: rule for rule in base.get("rules", ())} | own
    law = founding_of(str(head["ruleset"]), head, rules, lists)
    return cast(Founding, law | _past(folder, head, rules, problems)), problems


def _base(folder: Path, head: Written, text: str, within: tuple[Path, ...]) -> tuple[Founding, list[Problem]]:
    """Return the law that a ruleset extends, an empty one where it extends none, and what is wrong with it."""
    extended = str(head.get("extends") or "")
    none = cast(Founding, {})
    if not extended:
        return none, []
    try:
        if not is_path(extended):
            return founding(extended), []
        base = _folder_of(folder, extended, (folder, *within))
        law, problems = law_in(base, (folder, *within))
        return law or none, problems
    except ProblemError as error:
        place = locate(text, str(folder / HEAD), ["extends"])
        return none, [Problem(each.code, each.message, place, each.hint) for each in error.problems]


def _folder_of(folder: Path, extended: str, within: Sequence[Path]) -> Path:
    """Return the folder that a ruleset extends; raises E-FILE outside the repository, E-CIRCLE, E-SIZE, E-NO-SUCH."""
    files = CloneFiles.around(folder)
    root = files.root if files.path else files.root.parent
    base = Path(os.path.normpath(Path(os.path.abspath(folder)) / extended))  # noqa: PTH100 (links are not resolved)
    if not base.is_relative_to(root):
        hint = "put both into one git repository"
        raise fail("E-FILE", f"{extended} lies outside the repository in which this ruleset is", None, hint)
    if base in [Path(os.path.abspath(each)) for each in within]:  # noqa: PTH100
        message = f"this ruleset extends {extended}, and that extends this one"
        raise fail("E-CIRCLE", message, None, "let one extend none")
    if len(within) > MOST_BASES:
        raise fail("E-SIZE", f"more than {MOST_BASES} rulesets extend one another", None, "let this one extend none")
    if CloneFiles(root, base.relative_to(root).as_posix()).kind(HEAD) != "file":
        hint = f"write {HEAD} there, or leave `extends` out"
        raise fail("E-NO-SUCH", f"there is no ruleset in {extended}", None, hint)
    return base


def problem_of_number(rule: Document, file: Path) -> Problem | None:
    """Return that an initial rule has no number, None where it has."""
    if rule.get("rule"):
        return None
    hint = f'add `rule: "{file.stem}"`, or the number that it is to have'
    return Problem("E-MISSING", "a rule of a ruleset needs its number", Position(str(file), 1), hint)


def _name_of(folder: Path) -> str:
    try:
        return str(_head(folder)["ruleset"])
    except ProblemError:
        return ""


def founding_of(
    name: str, head: Written, rules: Mapping[str, RuleDocument], lists: Mapping[str, ListSpec] | None = None
) -> Founding:
    """Return what a ruleset founds a game with, from its head (`ruleset.yaml`), its rules by uid and its word lists."""
    return {
        "title": head["title"],
        "ruleset": name,
        "zone": head.get("zone", "UTC"),
        "settings": dict(head.get("settings") or {}),
        "players": [dict(person) for person in head.get("people") or []],
        "offices": dict(head.get("offices") or {}),
        **{name: head[name] for name in AS_WRITTEN if name in head},
        **({"lists": dict(lists)} if lists else {}),
        "opening": [dict(statement) for statement in head.get("given") or []],
        "rules": sorted(rules.values(), key=lambda rule: number_key(rule["rule"])),
    }


# -- the past that a ruleset brings along: `history/UID.yaml` of a rule, `proposals/NUMBER.yaml` of a vote
#
# All of it is taken over and not played: a game's record holds it in its first entry, and proves nothing of it.

HISTORY, DECIDED = "history", "proposals"
ENDED = "in force, so that its past cannot end with", "say when the rule came back, or delete its file in `rules/`"
GOES_ON = "not in `rules/`, so that its past ends with", "add a revision with `repealed: true`, or the file of the rule"
Revisions = list[dict[str, Any]]


def yaml_in(folder: Path, name: str) -> list[Path]:
    """Return the YAML files in a folder of a ruleset; raises E-FILE where one is a link, or no file."""
    files = CloneFiles.around(folder)
    found = [(each, kind) for each, kind in files.listing(name) if each.endswith(".yaml")]
    for each, kind in found:
        if kind != "file":
            files.read(f"{name}/{each}")  # says what is wrong with it
    return [folder / name / each for each, _ in found]


def _past(folder: Path, head: Written, in_force: Collection[str], wrong: list[Problem]) -> dict[str, Any]:
    """Return the past that a ruleset with rules `in_force` (uids) has; what is wrong with its files is added."""
    known: dict[str, Revisions] = dict(head.get("history") or {})
    rulings: dict[str, Any] = {}
    for file, found in _read(folder, HISTORY, read_history, wrong):
        wrong += _misplaced(file, found["revisions"], in_force, known)
        known[file.stem] = found["revisions"]
        rulings |= {file.stem: found["rulings"]} if "rulings" in found else {}
    decided = [{"number": file.stem, **found} for file, found in _read(folder, DECIDED, read_decided, wrong)]
    parts = {"history": known, "rulings": rulings, "decided": decided}
    return {name: part for name, part in parts.items() if part}


def _read(
    folder: Path, name: str, reader: Callable[[str, str], Written], wrong: list[Problem]
) -> Iterator[tuple[Path, Written]]:
    """Yield each sound file of a kind with what it says; what is wrong with the others is added."""
    for file in yaml_in(folder, name):
        try:
            yield file, reader(read_found(file), str(file))
        except ProblemError as error:
            wrong += error.problems


def _misplaced(
    file: Path, revisions: Revisions, in_force: Collection[str], known: Mapping[str, Revisions]
) -> Iterator[Problem]:
    """Yield that a past stands twice, or does not end as its rule is."""
    uid, last = file.stem, len(revisions) - 1
    if uid in known:
        hint = "leave it here, and take it out of ruleset.yaml"
        message = f"`history` in ruleset.yaml has the past of rule {uid} too"
        yield Problem("E-DUPLICATE", message, Position(str(file), 1), hint)
    ended = revisions[-1].get("repealed") is True
    if ended == (uid in in_force):
        how, hint = ENDED if ended else GOES_ON
        place = locate(read_found(file), str(file), ["revisions", last])
        yield Problem("E-CONFLICT", f"rule {uid} is {how} its repeal", place, hint)


# -- word lists: read for a founding, handed to the sandbox when a rule asks

_KNOWN: dict[str, str] = {}
"""The texts of the lists of which this process has spoken, by digest: a game may be gone when one is asked for."""


def read_lists(folder: Path) -> dict[str, ListSpec]:
    """Return what a founding says of the word lists in the folder of a ruleset; raises every problem of them."""
    found: dict[str, ListSpec] = {}
    problems: list[Problem] = []
    for file in sorted((folder / LISTS).glob("*.txt")):
        try:
            text = _read_list(file)
            found[file.name.removesuffix(".txt")] = spec = spec_of(text)
            remember_list(spec["digest"], {"words": text})
        except ProblemError as error:
            problems += error.problems
    if problems:
        raise ProblemError(*problems)
    return found


def remember_list(digest: str, document: Document | None) -> None:
    """Keep a list, {words: …}, for `fetch_list`; one that is missing or another than its digest says is left alone."""
    text = (document or {}).get("words")
    if isinstance(text, str) and bytes_digest(text.encode()) == digest:
        _KNOWN[digest] = text


def fetch_list(key: str) -> Document | None:
    """Return a list by `lists/NAME/DIGEST`, as {words: …}, None where nobody has spoken of it."""
    text = _KNOWN.get(key.rpartition("/")[2])
    return None if text is None else {"words": text}


def texts_of_lists(law: Founding) -> dict[str, str]:
    """Return the texts of the word lists that a founding names, by name."""
    found = {name: fetch_list(f"{LISTS}{name}/{spec['digest']}") for name, spec in (law.get("lists") or {}).items()}
    return {name: document["words"] for name, document in found.items() if document is not None}


def _read_list(file: Path) -> str:
    """Return the text of a list, in order; raises what is wrong with it."""
    place, name = Position(str(file)), file.name.removesuffix(".txt")
    if not NAME.fullmatch(name):
        raise fail("E-IDENTIFIER", f"{name} cannot name a word list", place, "use small letters, digits, _ and -")
    try:
        written = read_whole(file) or b""
        text = in_order(written.decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError:
        raise fail("E-UTF8", "the file is not UTF-8 text", place, "save it as UTF-8") from None
    if flaw := flaw_of_list(text):
        raise fail("E-FORMAT", f"this can be no word list: {flaw}", place, "write one word a line")
    return text
