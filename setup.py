"""Puts into a wheel what a game's repository gets: the site, the templates of workflows, the lock of the engine.

Of README.md it makes what a package index shows: links and pictures lead to the repository that FOLKMOOT_HOME names, at
the tag of the version; without it there are none. All else about the package stands in `pyproject.toml`.
"""

import os
import re
import tomllib
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

SCAFFOLD = "folkmoot/scaffold"
FILES = ("mkdocs.yml", "ci/site_pages.py", "requirements.lock")
WORKFLOWS = "ci/workflows"
SOURCES = "site_src"
HOME = os.environ.get("FOLKMOOT_HOME", "").rstrip("/")
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:)([^)]*)\)")


def templates() -> list[str]:
    """Return the templates of the workflows that referee a game."""
    return [path.as_posix() for path in sorted(Path(WORKFLOWS).rglob("*")) if path.is_file()]


def hand_written() -> list[str]:
    """Return the files of the site's sources without the pages that are made from games."""
    folder = Path(SOURCES)
    generated = {mark.parent for mark in folder.glob("*/.gitignore")} | {folder / "index.md"}
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return [path.as_posix() for path in files if generated.isdisjoint((path, *path.parents))]


def shown_on_index(text: str, version: str) -> str:
    """Return README.md as an index shows it, where no link within the repository leads anywhere."""

    def absolute(found: re.Match[str]) -> str:
        picture, words, target = found.groups()
        if not HOME:
            return "" if picture else words
        return f"{picture}[{words}]({HOME}/{'raw' if picture else 'blob'}/v{version}/{target})"

    if not HOME:  # what introduces a picture goes with it
        text = re.sub(r"^[^\n]+:\n\n!\[[^\n]*\n\n", "", text, flags=re.MULTILINE)
    return LINK.sub(absolute, text)


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


project = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]
setup(
    cmdclass={"build_py": BuildWithSite},
    long_description=shown_on_index(Path("README.md").read_text("utf-8"), project["version"]),
    long_description_content_type="text/markdown",
    project_urls={"Repository": HOME, "Changes": f"{HOME}/blob/main/CHANGELOG.md"} if HOME else {},
)
