"""Puts into a wheel what a game's repository gets: the site, the templates of workflows, the lock of the engine.

All else about the package stands in `pyproject.toml`.
"""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

SCAFFOLD = "folkmoot/scaffold"
FILES = ("mkdocs.yml", "ci/site_pages.py", "requirements.lock")
WORKFLOWS = "ci/workflows"
SOURCES = "site_src"


def templates() -> list[str]:
    """Return the templates of the workflows that referee a game."""
    return [path.as_posix() for path in sorted(Path(WORKFLOWS).rglob("*")) if path.is_file()]


def hand_written() -> list[str]:
    """Return the files of the site's sources without the pages that are made from games."""
    folder = Path(SOURCES)
    generated = {mark.parent for mark in folder.glob("*/.gitignore")} | {folder / "index.md"}
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return [path.as_posix() for path in files if generated.isdisjoint((path, *path.parents))]


class BuildWithSite(build_py):
    """Copies what games get beside the package's own files."""

    def run(self) -> None:
        """Copy the package, then the rest; an installation in place reads them where they are."""
        super().run()
        if self.editable_mode:
            return
        for name in (*FILES, *templates(), *hand_written()):
            target = Path(self.build_lib) / SCAFFOLD / name
            self.mkpath(str(target.parent))
            self.copy_file(name, str(target))


setup(cmdclass={"build_py": BuildWithSite})
