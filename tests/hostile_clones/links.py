"""Symbolic links in every place that the engine reads or writes, to whatever a person would not want read or written."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tests.conftest import FUZZ
from tests.hostile_clones.ground import GAME, Clone, Kind

STATE = f"state/{GAME}"
PAGES = f"site_src/{GAME}"
FILES = (
    *(f"{STATE}/{name}" for name in ("game.yaml", "head.yaml", "roster.yaml", "rules/205.yaml", "registers.yaml")),
    *(f"{STATE}/journal/000/{number:06d}.yaml" for number in (1, 3, 99)),
    *(f"{STATE}/{name}" for name in (".lock", ".pending", ".head.yaml.new", "inbox/1.yaml")),
    *(
        f"{PAGES}/{name}"
        for name in ("index.md", ".index.md.new", "law/203.md", ".gitignore", "feed.xml", "data/game.json")
    ),
    *("mkdocs.yml", ".mkdocs.yml.new", ".gitignore", ".gitattributes", "CODEOWNERS", "README.md", "tea.yaml"),
    *("ci/site_pages.py", "ci/engine.lock", ".github/workflows/referee.yml", ".github/CODEOWNERS"),
    *("site/index.html", "site_src/index.md", "site_src/stylesheets/extra.css", "schemas/rule.json"),
    *(".git/index", ".git/packed-refs", ".git/FETCH_HEAD", ".git/refs/heads/main", ".git/info/exclude"),
    *(f".git/folkmoot/{GAME}.secret", f".git/folkmoot/{GAME}.sealing", ".git/folkmoot/drafts/new.yaml", ".git/shallow"),
)
FOLDERS = (
    *(f"{STATE}/{name}" for name in ("journal/000", "journal", "rules", "things", "inbox", ".pending")),
    *(STATE, "state", PAGES, f"{PAGES}/law", f"{PAGES}/data", "site_src", "site_src/overrides", "ci", ".github"),
    *(".github/workflows", ".github/ISSUE_TEMPLATE", "site", "build", "build/demo", "schemas", "ci/wheels"),
    *(".git/folkmoot", ".git/folkmoot/drafts", ".git/refs/moot", ".git/refs/pull", ".git/logs", ".git/objects/pack"),
)
TARGETS = ("a file", "a folder", "an endless file", "nowhere", "a circle", "a terminal", "a rule")


def _plant(place: str, target: str, clone: Clone) -> None:
    home, path = clone.ground.home, clone.root / place
    leads = {
        "a file": home / "target",
        "a folder": home / "notes",
        "an endless file": "/dev/zero",
        "nowhere": home / "not there yet",
        "a circle": path.name,
        "a terminal": "/dev/tty",
        "a rule": home / "notes/203.yaml",
    }
    clone.link(place, leads[target])
    if not place.startswith(".git/"):
        clone.commit()


def _pages_marked(clone: Clone) -> None:
    """Let the folder of pages look as if the engine had made it, with a link to a folder in it."""
    _plant(f"{PAGES}/law", "a folder", clone)
    (clone.root / PAGES / ".gitignore").write_text(
        "# Folkmoot writes this folder from the record of the game; git leaves it alone.\n*\n", "utf-8"
    )
    clone.commit()


def _up(clone: Clone) -> None:
    """Let a folder lead up through the clone, so that a path comes round for ever."""
    clone.link(f"{STATE}/things/up", "../..")
    clone.link(f"{PAGES}/up", "..")
    clone.link("site_src/up", ".")
    clone.link("up", ".")
    clone.commit()


def _chosen() -> dict[str, Callable[[Clone], None]]:
    """Return each place with one target, or in a long run with all of them."""
    chosen: dict[str, Callable[[Clone], None]] = {}
    for number, place in enumerate((*FILES, *FOLDERS)):
        first = number % len(TARGETS) if place in FILES else 1
        for target in TARGETS if FUZZ else TARGETS[first : first + 1]:
            chosen[f"{place} to {target}"] = partial(_plant, place, target)
    return chosen


KINDS = {
    **{name: Kind(plant) for name, plant in _chosen().items()},
    "marked pages": Kind(_pages_marked),
    "folders that come round": Kind(_up),
}
