"""Puts the site's configuration and sources into a wheel, so that an installed engine can lay out a site.

All else about the package stands in `pyproject.toml`.
"""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

SCAFFOLD = "engine/scaffold"
FILES = ("mkdocs.yml", "ci/site_pages.py")
SOURCES = "site_src"


def hand_written() -> list[str]:
    """Return the files of the site's sources without the pages that are made from games."""
    folder = Path(SOURCES)
    generated = {mark.parent for mark in folder.glob("*/.gitignore")} | {folder / "index.md"}
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return [path.as_posix() for path in files if generated.isdisjoint((path, *path.parents))]


class BuildWithSite(build_py):
    """Copies what belongs to the site beside the package's own files."""

    def run(self) -> None:
        """Copy the package, then the site; an installation in place reads them where they are."""
        super().run()
        if self.editable_mode:
            return
        for name in (*FILES, *hand_written()):
            target = Path(self.build_lib) / SCAFFOLD / name
            self.mkpath(str(target.parent))
            self.copy_file(name, str(target))


setup(cmdclass={"build_py": BuildWithSite})
