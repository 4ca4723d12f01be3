"""What a site's configuration says, what it would have run, and whether whoever sits here consented to that.

A clone is somebody else's. Unasked, a site is made with settings that can name no code and with templates that are
packaged byte for byte; the packaged hook is not loaded, because a build by `moot` does what it does. All else (hooks,
plugins, extensions, tags of YAML, templates) waits for a consent, which lies among the user's settings and holds for
one folder and for what stood in it at that time. Whoever runs `mkdocs` themselves runs what the repository says.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from io import BytesIO
from pathlib import Path

import yaml
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.packaged import CONFIG, HOOK, SOURCES, scaffold
from folkmoot.core.problems import Position, Problem, fail
from folkmoot.core.settings_folder import settings_folder
from folkmoot.journal.repositories import find_repository

OUTPUT, CACHE = "site", "build/site"
"""Where a repository's site is built, and where it keeps, out of git, what the next build begins with."""
BESIDES = frozenset({".git", "state", OUTPUT, "build"})
"""What of a repository is no source of its site."""
MOST_BYTES = 500_000
_NOTHING = ("", "~", "null", "Null", "NULL")


def site_address(root: Path) -> str:
    """Return the address at which the site's configuration says that it will lie; "" where it says none."""
    return setting(root, "site_url")


def setting(root: Path, name: str) -> str:
    """Return a plain setting of the site's configuration; "" where there is none."""
    settings = composed(root)
    pairs = reversed(settings.value) if settings else ()
    found = next((value for key, value in pairs if key.value == name), None)
    return found.value if isinstance(found, yaml.ScalarNode) and found.value not in _NOTHING else ""


def composed(root: Path) -> yaml.MappingNode | None:
    """Return what the site's configuration says as MkDocs parses it, with nothing made of its tags; None without one.

    Raises E-SITE for what is no YAML.
    """
    try:
        found = yaml.compose(read_config(root) or b"", Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        place = Position(CONFIG, *((mark.line + 1, mark.column + 1) if mark else ()))
        message = getattr(error, "problem", None) or str(error).partition("\n")[0]
        raise fail("E-SITE", f"this is no YAML that can be read: {message}", place) from None
    if found is not None and not isinstance(found, yaml.MappingNode):
        raise fail("E-SITE", "this is no map of settings", Position(CONFIG, 1))
    return found


def read_config(root: Path) -> bytes | None:
    """Return the bytes of the site's configuration, None without one."""
    return CloneFiles(root).read(CONFIG, MOST_BYTES)


def played_branch(root: Path) -> str:
    """Return the branch that is played on: that of the remote's HEAD, else the one that is checked out, else `main`."""
    repo = find_repository(root)
    if repo is None:
        return "main"
    head = repo.references.get("refs/remotes/origin/HEAD")
    if head is not None and isinstance(head.target, str):
        return head.target.removeprefix("refs/remotes/origin/")
    if repo.head_is_unborn or repo.head_is_detached:
        return "main"
    return repo.head.shorthand


# -- consent to what would be run

logging.getLogger("mkdocs").addHandler(logging.NullHandler())  # which else prints what is told as a problem
OVERRIDES = f"{SOURCES}/overrides"
Allowed = bool | str | Mapping[str, "Allowed"] | Sequence[Mapping[str, "Allowed"]]
"""What a setting may be: anything, one word, a map of these, or a list of names with options."""

_FREE = """copyright draft_docs edit_uri exclude_docs extra extra_css extra_javascript nav not_in_nav repo_name repo_url
site_author site_description site_name site_url strict use_directory_urls validation"""
_THEME = "direction favicon features font icon language logo palette"
_EXTENSIONS: Mapping[str, Allowed] = {
    **{name: {} for name in "abbr admonition attr_list def_list footnotes md_in_html pymdownx.superfences".split()},
    "pymdownx.highlight": {"anchor_linenums": True},
    "tables": {"use_align_attribute": True},
    "toc": dict.fromkeys(("permalink", "permalink_title", "toc_depth"), True),
}
_SETTINGS: Mapping[str, Allowed] = {
    **dict.fromkeys(_FREE.split(), True),
    "docs_dir": SOURCES,
    "site_dir": "site",
    "theme": {**dict.fromkeys(_THEME.split(), True), "name": "material", "custom_dir": OVERRIDES},
    "markdown_extensions": [_EXTENSIONS],
    "plugins": [{"search": {}}],
    "hooks": [{HOOK: {}}],
}
_TAG = "tag:yaml.org,2002:"
_PLAIN = frozenset(f"{_TAG}{name}" for name in ("bool", "float", "int", "map", "null", "seq", "str"))


def require_consent(root: Path, *, given: bool = False) -> bool:
    """Return whether the configuration of a repository's site holds code, to which there is a consent.

    One that is `given` is kept. Raises E-CONSENT with the first place that would run something, where there is none.
    """
    found = list(foreign_code(root))
    if not found:
        return False
    configured = any(problem.position and problem.position.file in (CONFIG, HOOK) for problem in found)
    digest = _digest(root, "" if configured else OVERRIDES)
    files = CloneFiles(settings_folder())
    name = f"folkmoot/consents/{blake2b(os.fsencode(root.resolve()), digest_size=16).hexdigest()}"
    inside = files.root.resolve().is_relative_to(root.resolve())
    if given and not inside:
        files.write(name, f"{digest} {root.resolve()}\n".encode())
    elif inside or not (files.read_text(name, errors="replace") or "").startswith(f"{digest} "):
        first, more = found[0], f" (and {len(found) - 1} more)" if found[1:] else ""
        message = f"{first.message}{more}, and nobody here has consented to what it may run"
        hint = "read it; `moot serve --build --trust` consents to it as it is now, and `moot serve --trust` too"
        if inside:
            hint = "no consent can be kept in the clone itself: set XDG_CONFIG_HOME to a folder elsewhere"
        raise fail("E-CONSENT", message, first.position, hint)
    return configured


def load(config_file: Path, site_dir: Path | None = None) -> MkDocsConfig:
    """Return the configuration of a site for MkDocs; raises E-CONSENT, and what MkDocs raises."""
    hooks: list[str] | None = []
    if require_consent(config_file.parent):
        hooks, sys.dont_write_bytecode = None, True  # a compiled file beside a hook is none that was consented to
    stream = BytesIO(read_config(config_file.parent) or b"")
    stream.name = str(config_file)  # from which an INHERIT leads on
    folder = str(site_dir) if site_dir else None
    return load_config(stream, config_file_path=str(config_file), site_dir=folder, hooks=hooks)


def foreign_code(root: Path) -> Iterator[Problem]:
    """Yield each place of a repository where its site would run what is not packaged."""
    node = composed(root)
    if node is not None:
        for line, what in (*_odd_values(node), *_foreign("", node, _SETTINGS)):
            yield Problem("E-CONSENT", f"{what} is no setting that Folkmoot takes unasked", Position(CONFIG, line))
    files, source = CloneFiles(root), scaffold()
    for name in (HOOK, *files.walk(OVERRIDES)):
        data, packaged = files.read(name), source / name
        if data is not None and not (packaged.is_file() and packaged.read_bytes() == data):
            what = "a hook" if name == HOOK else "a template or a file beside templates"
            yield Problem("E-CONSENT", f"this is {what} that Folkmoot did not package", Position(name))


def _odd_values(node: yaml.Node) -> Iterator[tuple[int, str]]:
    """Yield what is no plain value: tags, which may call anything, and aliases, which may be without end."""
    seen, waiting = set[int](), [node]
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            yield _line(each), "an anchor with its alias"
            continue
        seen.add(id(each))
        if each.tag not in _PLAIN:
            yield _line(each), f"a value marked {each.tag.replace(_TAG, '!!')!r:.80}"
        if isinstance(each, yaml.MappingNode):
            waiting += [part for pair in each.value for part in pair]
        elif isinstance(each, yaml.SequenceNode):
            waiting += each.value


def _foreign(name: str, node: yaml.Node, allowed: Allowed) -> Iterator[tuple[int, str]]:
    """Yield what of a setting is not allowed."""
    match allowed, node:
        case [names], yaml.SequenceNode(value=items):
            for item in items:
                if not isinstance(item, yaml.ScalarNode) or item.value not in names:
                    yield from _foreign(name, item, names)
        case Mapping(), yaml.MappingNode(value=pairs):
            for key, value in pairs:
                word = key.value if isinstance(key, yaml.ScalarNode) else ""
                if word in allowed:
                    yield from _foreign(f"{name}{word}: ", value, allowed[word])
                else:
                    yield _line(key), f"{name}{word!r:.80}"
        case _ if allowed is not True and node.value != allowed:
            yield _line(node), f"{name}{node.value if isinstance(node, yaml.ScalarNode) else '…'!r:.80}"


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def _digest(root: Path, folder: str) -> str:
    """Return a digest of all that may take part where something of a folder, and the configuration, is run."""
    made, files = blake2b(digest_size=16), CloneFiles(root)
    for name, data in ((CONFIG, files.read(CONFIG) or b""), *_contents(files, folder)):
        made.update(f"{len(name)} {len(data)} {name}".encode("utf-8", "surrogateescape") + data)
    return made.hexdigest()


def _contents(files: CloneFiles, folder: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files below a folder and where links lead, but nothing that comes of play."""
    for each, kind in files.listing(folder):
        name = f"{folder}/{each}" if folder else each
        if name in BESIDES or files.name(name) == sys.prefix:
            continue
        if kind == "folder":
            yield from _contents(files, name)
        elif kind == "file":
            yield name, files.read(name) or b""
        elif os.path.islink(files.name(name)):  # noqa: PTH114
            yield name, os.fsencode(os.readlink(files.name(name)))  # noqa: PTH115
