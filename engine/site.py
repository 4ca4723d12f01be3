"""The site of a repository: every game below `state/` as pages, built by MkDocs."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import engine
from engine.problems import fail
from engine.publish import Report, view_of, write_pages
from engine.session import Session

CONFIG = "mkdocs.yml"
SOURCES = "site_src"
SCAFFOLD = (CONFIG, SOURCES, "ci/site_pages.py", ".gitignore")
Progress = Callable[[str, int, int], None]


def write_site(root: Path, progress: Progress = lambda *_: None) -> Report:
    """Write the pages of every game of a repository below its `site_src/`, only where bytes change."""
    views = []
    for folder in sorted(head.parent for head in (root / "state").glob("*/head.yaml")):
        with Session.open(folder) as session:
            views.append(view_of(session.record, session.documents, session.judge))
    return write_pages(views, root / SOURCES, progress)


def lay_site(root: Path) -> bool:
    """Copy the site's configuration, theme and guides into a repository that has none; say whether that was needed.

    They are taken from the repository of this engine. Raises E-SITE where the engine was installed without it.
    """
    if (root / CONFIG).exists():
        return False
    source = Path(engine.__file__).parent.parent
    if not (source / CONFIG).exists():
        hint = f"copy {CONFIG} and {SOURCES}/ from Folkmoot's repository, or keep games in a clone of it"
        raise fail("E-SITE", f"{root} has no {CONFIG}", None, hint)
    for name in SCAFFOLD:
        _copy(source / name, root / name)
    return True


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        generated = {path.parent for path in source.glob("*/.gitignore")}
        shutil.copytree(
            source, target, dirs_exist_ok=True, ignore=lambda folder, names: _skipped(folder, names, generated)
        )
    elif source.exists():
        shutil.copyfile(source, target)


def _skipped(folder: str, names: list[str], generated: set[Path]) -> list[str]:
    return [name for name in names if Path(folder) / name in generated]
