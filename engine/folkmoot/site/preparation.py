"""What a repository has before its site is made: configuration, theme and guides, and consent to what runs."""

from __future__ import annotations

from pathlib import Path

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.packaged import CONFIG, HOOK, SOURCES, scaffold
from folkmoot.site.consent import require_consent
from folkmoot.site.generated import remove_former_pages, require_plain


def prepare_site(root: Path, *, trust: bool = False) -> list[str]:
    """Make sure that a repository's site can be made here, and lay what it lacks (see `lay_site`).

    Nothing is changed before all that lies there was looked at; with `trust` whoever asks consents to what it may run.
    Raises E-FILE, E-SITE, E-CONSENT.
    """
    require_plain(root)
    remove_former_pages(root / SOURCES)
    if not trust:
        require_consent(root)
    laid = lay_site(root)
    if trust:
        require_consent(root, given=True)
    return laid


def lay_site(root: Path) -> list[str]:
    """Copy the site's configuration, theme and guides into a repository that lacks them; return what was written.

    Where the configuration or the hook that it names is missing, everything that is missing is laid; else a file that
    somebody took away stays away. Raises E-SITE where the engine was installed in parts.
    """
    files, source = CloneFiles(root), scaffold()
    if files.kind(CONFIG) and files.kind(HOOK):
        return []
    missing = [name for name in site_files() if not files.kind(name)]
    for name in sorted(missing, key=lambda name: name in (CONFIG, HOOK)):  # these two say that all is there
        files.write(name, (source / name).read_bytes())
    return missing


def site_files() -> list[str]:
    """Return what a site is built with besides its pages: configuration, hook, theme and guides, as paths."""
    return [CONFIG, HOOK, *_sources(scaffold() / SOURCES)]


def _sources(folder: Path) -> list[str]:
    """Return the hand-written files of a site's sources as paths below the folder around it."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return [f"{SOURCES}/{path.relative_to(folder).as_posix()}" for path in paths]
