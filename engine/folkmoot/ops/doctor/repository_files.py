"""The files that a repository needs to be played on a forge: computed first, then written where they differ."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from folkmoot.core.clone_files import read_text, write_whole
from folkmoot.core.packaged import CONFIG, scaffold
from folkmoot.core.problems import fail
from folkmoot.forges.engine_pin import Pinned, pin
from folkmoot.forges.git_transport import Git
from folkmoot.forges.workflows import BEGIN, FOLDERS, FORGEJOS, README, beginning, workflow_files
from folkmoot.journal.git_library import pygit2
from folkmoot.ops.doctor.place import Game, handle, maintainers
from folkmoot.referee.form_files import MADE, forms_of
from folkmoot.site.preparation import site_files

ATTRIBUTES = "state/** -text"
"""The line of `.gitattributes` that keeps git from converting line ends of the record."""
GIT_FILES = {
    ".gitattributes": f"""\
# The journal is a chain of digests of exact bytes: git must not convert line ends below state/.
{ATTRIBUTES}
""",
    ".gitignore": """\
# A write that was cut short; the next command finishes it or takes it back.
.pending/
# The site, and the pages that it is built from, follow from the record (each game's folder of pages says so itself).
/site/
/site_src/index.md
__pycache__/
""",
}
"""What git must know of a repository with games: which bytes it may not touch, and what it need not keep."""
AUTHOR = ("-c", "user.name=Folkmoot", "-c", "user.email=referee@folkmoot.invalid", "-c", "commit.gpgSign=false")
OWNERS = {"github": ".github/CODEOWNERS", "gitea": ".gitea/CODEOWNERS"}
_EDIT = {"github": "edit/{branch}/site_src/", "gitea": "src/branch/{branch}/site_src/"}
_KEYS = ("site_url", "repo_url", "edit_uri")
_KEY = re.compile(r"^(?P<key>[a-z_]+):[ \t]*(?P<value>[^\n]*)$", re.MULTILINE)


def owned(root: Path) -> bool:
    """Say whether a repository is the engine's own, whose jobs run the engine that lies in it."""
    return (root / "engine" / "folkmoot" / "__init__.py").exists()


def wanted_files(
    root: Path, kind: str, home: str, branch: str, games: Iterable[Game], site_url: str = ""
) -> dict[str, str]:
    """Return every file that is to stand in a repository: path → text. What people may have written in them stays."""
    known = list(games)
    forms = forms_of(root, kind, [game.name for game in known])
    made = {name: text for name, text in forms.items() if (_text(root / name) or MADE).startswith(MADE)}
    wanted = wanted_workflows(root, kind) | made
    wanted[".gitattributes"] = attributes(_text(root / ".gitattributes"))
    wanted[OWNERS[kind]] = code_owners(kind, known)
    config = _text(root / CONFIG) or _text(scaffold() / CONFIG)
    wanted[CONFIG] = with_addresses(config, addresses(kind, home, branch, site_url), chosen=bool(site_url))
    return wanted


def begun_page(home: str, title: str, site: str) -> str:
    """Return the page of a repository whose game has begun: where it lies, what it is called, where its site stands."""
    law = f" Law, scores and boards stand on [its site]({site})." if site else ""
    return f"""\
# {title}

A game of Nomic, in which changing the rules is a move.{law}

*To join*, comment `/join` in [the game's thread]({home}/issues). *To act* without git, take one of the forms
under *Issues → New issue*. *To propose* a change of the rules, open a pull request that changes a file below `state/`,
or take the form for it. *To vote*, review a pull request, or comment `/vote for` or `/vote against`.

Refereed by [workflows]({home}/actions) with Folkmoot: what they write below `state/` is never changed by hand.
"""


def wanted_workflows(root: Path, kind: str) -> dict[str, str]:
    """Return the workflows for a forge, in Forgejo's own folder where a repository has only that.

    The one that begins a game is among them only where it lies there, in a repository made from a template: not where
    a game has come from the other kind of forge.
    """
    files = workflow_files(kind, own=owned(root))
    folders = (FOLDERS[kind], FORGEJOS) if kind == "gitea" else (FOLDERS[kind],)
    if any((root / folder / BEGIN).exists() for folder in folders):
        files |= {name: text for name, text in beginning(kind).items() if name != README}
    if kind != "gitea" or not only_forgejos(root):
        return files
    return {name.replace(FOLDERS[kind], FORGEJOS): text for name, text in files.items()}


def only_forgejos(root: Path) -> bool:
    """Say whether the workflows of a repository lie where Forgejo reads them, and Gitea does not."""
    return (root / FORGEJOS).is_dir() and not (root / FOLDERS["gitea"]).is_dir()


def stale_files(root: Path, wanted: Mapping[str, str]) -> list[str]:
    """Return the files that are missing, or not as they are wanted."""
    return [name for name, text in wanted.items() if _text(root / name) != text]


def write_stale(root: Path, wanted: Mapping[str, str]) -> list[str]:
    """Write what is missing or differs, each file whole or not at all; return the paths written."""
    stale = stale_files(root, wanted)
    for name in stale:
        write_whole(root / name, wanted[name].encode())
    return stale


def uncommitted_sources(root: Path, repo: pygit2.Repository | None) -> list[str]:
    """Return what the site is built with that lies in a repository and in no commit: the jobs would look in vain."""
    if repo is None or repo.head_is_unborn:
        return []
    tree = repo.head.peel(pygit2.Tree)
    return [name for name in site_files() if (root / name).exists() and name not in tree]


def make_repository(root: Path) -> None:
    """Make an empty git repository in a folder."""
    Git(root).ask(["init", "--quiet", "--object-format=sha1", "--initial-branch=main"])


def write_git_files(root: Path) -> list[str]:
    """Write `.gitattributes` and `.gitignore` where they are missing, never over one; return the names of new ones."""
    missing = [name for name in GIT_FILES if not (root / name).exists()]
    for name in missing:
        write_whole(root / name, GIT_FILES[name].encode())
    return missing


def write_template(root: Path, kind: str, engine: str | None) -> Pinned:
    """Write a template for a kind of forge into a folder that is empty or not there, as a repository of one commit.

    `engine` is what `pin` is given; returns what was pinned. Raises E-DUP where the folder holds something, E-PIN.
    """
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise fail("E-DUP", f"{root} is not empty", None, "name a folder that is empty or does not exist")
    write_whole(root / FOLDERS[kind] / BEGIN, b"")
    done = pin(root, engine)
    make_repository(root)
    write_git_files(root)
    for name, text in {**wanted_workflows(root, kind), README: beginning(kind)[README]}.items():
        write_whole(root / name, text.encode())
    git = Git(root)
    git.ask(["add", "--all"])
    git.ask([*AUTHOR, "commit", "--quiet", "--message", f"Lay the template of a game by Folkmoot {done.version}"])
    return done


def _text(path: Path) -> str:
    return read_text(path, errors="replace") or ""


def attributes(present: str) -> str:
    r"""Return `.gitattributes` with the line that the record needs, after whatever stands there.

    >>> attributes("*.png binary\n").splitlines()[-1]
    'state/** -text'
    """
    if keeps_bytes(present):
        return present
    return (f"{present.rstrip()}\n" if present.strip() else "") + GIT_FILES[".gitattributes"]


def keeps_bytes(text: str) -> bool:
    """Say whether the last line of `.gitattributes` that speaks of the record keeps its bytes."""
    lines = [line.split() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    ours = [words for words in lines if words[0].lstrip("/").startswith(("state/", "**", "*"))]
    return ATTRIBUTES.split() in ours and ours[-1][:1] == ATTRIBUTES.split()[:1] and "-text" in ours[-1]


def code_owners(kind: str, games: Iterable[Game]) -> str:
    """Return CODEOWNERS: the maintainers of the games own everything that no game may change.

    Gitea reads regular expressions and `!` as "all but", GitHub patterns of which the last one that fits counts.
    """
    who = sorted({name for game in games for each in maintainers(game) if (name := handle(game, each, kind))})
    note = "# Written by `moot init`: who is asked to review what is not for players to change.\n"
    if not who:
        return note + "# No maintainer of a game is known on this forge yet; see `identify` and `maintain`.\n"
    owners = " ".join(f"@{name}" for name in who)
    return note + (f"* {owners}\n/state/\n" if kind == "github" else f"!state/.* {owners}\n")


def addresses(kind: str, home: str, branch: str, site_url: str = "") -> dict[str, str]:
    """Return what `mkdocs.yml` is to say of where the site lies; no `site_url` where nobody can know it.

    >>> addresses("github", "https://github.com/Ann/game", "main")["site_url"]
    'https://ann.github.io/game/'
    """
    url = site_url or pages_address(home)
    found = {"site_url": url, "repo_url": home, "edit_uri": _EDIT[kind].format(branch=branch)}
    return {key: value for key, value in found.items() if value}


def pages_address(home: str) -> str:
    """Return where GitHub or Codeberg serves the pages of a repository, "" for a server of somebody's own.

    >>> pages_address("https://github.com/ann/ann.github.io"), pages_address("https://ghe.example/ann/game")
    ('https://ann.github.io/', '')
    >>> pages_address("https://codeberg.org/Ann/game"), pages_address("https://codeberg.org/ann/pages")
    ('https://ann.codeberg.page/game/', 'https://ann.codeberg.page/')
    """
    place = urlsplit(home)
    owner, _, name = place.path.strip("/").partition("/")
    roots = {
        "github.com": (f"https://{owner.lower()}.github.io/", f"{owner.lower()}.github.io"),
        "codeberg.org": (f"https://{owner.lower()}.codeberg.page/", "pages"),
    }
    root, whole = roots.get(place.hostname or "", ("", ""))
    return root if not root or name.lower() == whole else f"{root}{name}/"


def configured(text: str) -> dict[str, str]:
    """Return what `mkdocs.yml` says of where the site lies."""
    found = {match["key"]: match["value"] for match in _KEY.finditer(text)}
    return {key: found[key].strip().strip("\"'") for key in _KEYS if key in found}


def with_addresses(text: str, wanted: Mapping[str, str], *, chosen: bool = False) -> str:
    """Return `mkdocs.yml` with other addresses; every other line of it stays.

    A `site_url` that somebody chose stays too, because a site may have a domain of its own, unless they have `chosen`
    another. One that followed from where the repository lay goes with the repository.
    """
    present = configured(text)
    before, url = present.get("repo_url", ""), present.get("site_url", "")
    follows = url == pages_address(before) and wanted.get("repo_url", before) != before
    stays = bool(url) and not (chosen or follows)
    new = {
        key: value for key, value in wanted.items() if present.get(key) != value and (key != "site_url" or not stays)
    }
    gone = {*new, *({"site_url"} if follows and "site_url" not in wanted else ())}
    lines = [line for line in text.split("\n") if line.partition(":")[0] not in gone]
    place = next((number for number, line in enumerate(lines, 1) if line.startswith("site_name:")), 0)
    return "\n".join([*lines[:place], *(f'{key}: "{value}"' for key, value in new.items()), *lines[place:]])
