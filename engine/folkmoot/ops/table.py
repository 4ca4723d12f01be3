"""A table: a repository that is laid down ready to play, whose hooks wake its referee."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.game_location import TABLE_LOG as LOG
from folkmoot.core.problems import Position, fail
from folkmoot.forges.git_transport import Git
from folkmoot.forges.local.forge import RUNNER

_INIT = ("init", "--quiet", "--object-format=sha1", "--template=", "--initial-branch=main")
REFEREE = "The table <table@table.invalid>"
"""By whom a table's own commits are: git wants an address, and nobody gets mail by it."""
KEPT = "folkmoot"
"""The folder of git's own in which secrets of a game are kept; they go with the table, where its referee runs."""
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
        Git(Path(folder)).ask([*_INIT, "--bare", *group, "--", str(bare)])
        Git(bare).configure("core.hooksPath", "hooks")  # its own, whatever somebody has set for all repositories
        found(work)
        Git(work).ask(["push", "--quiet", "--", str(bare), "HEAD:refs/heads/main"])
        post_receive = POST_RECEIVE.format(python=shlex.quote(sys.executable), runner=RUNNER)
        for name, text in (("update", UPDATE), ("post-receive", post_receive)):
            CloneFiles(bare).write(f"hooks/{name}", text.encode(), 0o777)
        (bare / LOG.parent).mkdir()
        (bare / LOG.parent).chmod(bare.stat().st_mode)
        if (work / ".git" / KEPT).is_dir():
            shutil.move(work / ".git" / KEPT, bare / KEPT)
        if table.is_dir():
            table.rmdir()  # an empty one
        shutil.move(bare, table)


@contextmanager
def adding(table: Path) -> Iterator[Path]:
    """Yield a work tree of a table; what is committed there is the table's afterwards, with what is kept beside it.

    Nothing is, where it is left by an error. Raises E-FORGE where the table has gone on meanwhile.
    """
    with tempfile.TemporaryDirectory(dir=table.parent, prefix=".table-") as folder:
        work = Path(folder, "work")
        Git(Path(folder)).ask(["clone", "--quiet", "--template=", "--no-hardlinks", "--", str(table), str(work)])
        yield work
        branch = Git(table).ask(["symbolic-ref", "HEAD"]).strip()
        made = CloneFiles(work / ".git" / KEPT)
        secrets = {f"{KEPT}/{name}": made.read(name) or b"" for name, kind in made.listing() if kind == "file"}
        for name, secret in secrets.items():
            CloneFiles(table).write(name, secret, 0o600)
        try:
            Git(table).ask(["fetch", "--quiet", "--no-tags", "--", str(work), f"HEAD:{branch}"])
        except BaseException:
            for name in secrets:
                CloneFiles(table).remove(name)
            raise


def is_shared(table: Path) -> bool:
    """Say whether whoever is of the folder's group may push to a table, so that its referee runs as any of them."""
    return bool((table / LOG.parent).stat().st_mode & 0o020)


def is_packaged_hook(text: str) -> bool:
    """Say whether a hook is one of a table's, and wakes this Python or one that is not there."""
    python = next(iter(re.findall(r"^python='?([^'\n]*)'?$", text, re.MULTILINE)), "")
    packaged = POST_RECEIVE.format(python=shlex.quote(python), runner=RUNNER)
    return text == UPDATE or (text == packaged and (python == sys.executable or not os.path.lexists(python)))
