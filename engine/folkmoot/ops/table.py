"""Repositories that are laid down ready to play: a table, whose hooks wake its referee, and a forge's template."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from folkmoot.core.clone_files import CloneFiles, write_whole
from folkmoot.core.problems import Position, fail
from folkmoot.forges.engine_pin import Pinned, pin
from folkmoot.forges.git_transport import Git
from folkmoot.forges.local.waking import RUNNER
from folkmoot.forges.workflows import BEGIN, FOLDERS, README, beginning
from folkmoot.ops.doctor.repository_files import wanted_workflows, write_git_files
from folkmoot.ops.table_places import LOG

_INIT = ("init", "--quiet", "--object-format=sha1", "--template=", "--initial-branch=main")
KEPT = "folkmoot"
"""The folder of git's own in which secrets of a game are kept; they go with the table, where its referee runs."""
COMES = "moot.table"
"""The setting of git by which a table knows that it was made for games that come from elsewhere."""
UPDATE = """\
#!/bin/sh
# Written by `moot table`. Players push their pull requests and their letters; the branch of the game and what the
# referee has seen are its own, and it moves them inside this repository, where no hook stands in its way.
case "$1" in
  refs/pull/*/*/* | refs/moot/letters*/*/*) ;;
  refs/pull/*/head | refs/moot/letters/* | refs/moot/letters.*/* | refs/tags/*) exit 0 ;;
  "$(git symbolic-ref HEAD)") ;;
  refs/heads/*) exit 0 ;;
esac
echo "Only this table's referee moves $1: to change a rule use \\`moot propose\\`, for all else \\`moot act\\`." >&2
exit 1
"""
POST_RECEIVE = """\
#!/bin/sh
# Written by `moot table`. Wakes the referee; a push is done whatever becomes of that, and waits for it a little only.
python={python}
cat > /dev/null
unset $(git rev-parse --local-env-vars)
if [ -x "$python" ]; then
  "$python" -P -m {runner} "$PWD"
else
  echo "No referee looked at this: there is no $python. Let hooks/post-receive of the table name a Python with moot."
fi
exit 0
"""


def refuse_taken(table: Path) -> None:
    """Raise E-DUP where something lies already."""
    if not table.exists():
        return
    if (table / "hooks" / "post-receive").exists() or (table / LOG.parent).exists():
        raise fail("E-DUP", "there is a table already", Position(str(table)), f"`git clone {shlex.quote(str(table))}`")
    if not table.is_dir() or any(table.iterdir()):
        hint = "name a folder that is empty or does not exist"
        raise fail("E-DUP", "something lies there already", Position(str(table)), hint)


def lay(table: Path, found: Callable[[Path], None], *, shared: bool = False) -> None:
    """Make a table with what `found` commits in the work tree that it is given: all of it, or nothing.

    With `shared` whoever is of the folder's group may push. Raises E-DUP where something lies there.
    """
    refuse_taken(table)
    table.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=table.parent, prefix=".table-") as folder:
        work, bare = Path(folder, "work"), Path(folder, "bare")
        group = ["--shared=group"] if shared else []
        Git(Path(folder)).ask([*_INIT, "--", str(work)])
        _lay_bare(bare, *group)
        found(work)
        Git(work).ask(["push", "--quiet", "--", str(bare), "HEAD:refs/heads/main"])
        _equip(bare)
        if (work / ".git" / KEPT).is_dir():
            shutil.move(work / ".git" / KEPT, bare / KEPT)
        if table.is_dir():
            table.rmdir()  # an empty one
        shutil.move(bare, table)


def make_bare(folder: Path) -> None:
    """Make an empty repository for a table to which games come from elsewhere; `equip` ends that."""
    _lay_bare(folder)
    Git(folder).configure(COMES, "true")


def is_packaged_hook(text: str) -> bool:
    """Say whether a hook is one of a table's, and wakes this Python or one that is not there."""
    python = next(iter(re.findall(r"^python='?([^'\n]*)'?$", text, re.MULTILINE)), "")
    packaged = POST_RECEIVE.format(python=shlex.quote(python), runner=RUNNER)
    return text == UPDATE or (text == packaged and (python == sys.executable or not os.path.lexists(python)))


def _lay_bare(folder: Path, *options: str) -> None:
    """Make an empty bare repository whose hooks are its own, whatever hooks somebody has set for all repositories."""
    Git(folder.parent).ask([*_INIT, "--bare", *options, "--", str(folder)])
    Git(folder).configure("core.hooksPath", "hooks")


def equip(folder: Path) -> None:
    """Write the hooks of a table that `make_bare` made, once; another repository is left as it is."""
    if (folder / LOG.parent).exists() or Git(folder).ask(["config", "--get", COMES], allowed=(0, 1)).strip() != "true":
        return
    _equip(folder)


def _equip(bare: Path) -> None:
    """Write the hooks of a table, and make the folder of its referee's log."""
    python = shlex.quote(sys.executable)
    for name, text in (("update", UPDATE), ("post-receive", POST_RECEIVE.format(python=python, runner=RUNNER))):
        CloneFiles(bare).write(f"hooks/{name}", text.encode(), 0o777)
    (bare / LOG.parent).mkdir()
    (bare / LOG.parent).chmod(bare.stat().st_mode)


# -- a repository of which a forge makes games


SUBJECT = "Lay the template of a game"
AUTHOR = ("-c", "user.name=Folkmoot", "-c", "user.email=referee@folkmoot.invalid", "-c", "commit.gpgSign=false")


def write_template(root: Path, kind: str, engine: str | None) -> Pinned:
    """Write a template for a kind of forge into a folder that is empty or not there, as a repository of one commit.

    `engine` is what `pin` is given; returns what was pinned. Raises E-DUP where the folder holds something, E-PIN.
    """
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise fail("E-DUP", f"{root} is not empty", None, "name a folder that is empty or does not exist")
    write_whole(root / FOLDERS[kind] / BEGIN, b"")
    done = pin(root, engine)
    git = Git(root)
    git.ask(["init", "--quiet", "--object-format=sha1", "--initial-branch=main"])
    write_git_files(root)
    for name, text in {**wanted_workflows(root, kind), README: beginning(kind)[README]}.items():
        write_whole(root / name, text.encode())
    git.ask(["add", "--all"])
    git.ask([*AUTHOR, "commit", "--quiet", "--message", f"{SUBJECT} by Folkmoot {done.version}"])
    return done
