"""Folders of rulesets with a past, written for a test or made by chance."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from pathlib import Path

from ruamel.yaml import YAML

from tests.support.moot import Moot, Said

POND = {
    "ruleset.yaml": """\
ruleset: pond
title: A pond
people:
  - {id: ann}
former_players:
  - {id: zed, name: Zed, since: about 1994, until: 1996-03-01}
""",
    "rules/1.yaml": 'rule: "1"\ntitle: Frogs\ntext: There are far too many frogs.\n',
    "rules/2.yaml": 'rule: "2"\ntitle: Reeds\ntext: Frogs sit in reeds.\n',
    "history/1.yaml": """\
revisions:
  - {at: about 1994, cause: the first evening, title: Frogs, text: There are frogs., labels: {power: "1"}}
  - {at: 1995-09, change: power change, cause: proposal 17, title: Frogs, labels: {power: "3"}, called: 1/2}
  - {at: 1996-02-29, cause: proposal 20, repealed: true, because: nobody croaked}
  - {at: 2001, title: Frogs, text: There are frogs again., note: by request}
  - {at: 2026-07-26, cause: proposal 9356, called: 1/5}
rulings:
  - {name: Case 7, at: before 2003, by: Zed, text: A toad is no frog.}
""",
    "history/3.yaml": """\
revisions:
  - {at: unknown, title: Newts, text: There are newts.}
  - {at: 2012-05-01T10:00:00Z, cause: proposal 7100, repealed: true}
""",
    "proposals/17.yaml": """\
title: Power to the frogs
author: zed
submitted: 1995
decided: 1995-09
outcome: adopted
text: Frogs have power three.
ballots:
  zed: for
  Old Nick: {choice: against, reason: They croak., weight: 2}
""",
}
"""A ruleset with two rules in force, of which one was gone for a while, and one that is no more."""


def write(folder: Path, files: Mapping[str, str] = POND) -> Path:
    """Write the files of a ruleset, and return its folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def founded(moot: Moot, files: Mapping[str, str] = POND) -> Said:
    """Found the game `g` by a ruleset."""
    write(Path("pond"), files)
    return moot("new", "g", "-r", "./pond", "-p", "ann", "--at", "2026-11-01T00:00:00Z", "--no-commit")


def as_yaml(path: Path, data: object) -> None:
    """Write data into a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        YAML().dump(data, file)


def words_of(page: str) -> str:
    """Return the words of a page of the game `g`, without the marks between them."""
    text = Path("site/g", f"{page}.html").read_text()
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split())
