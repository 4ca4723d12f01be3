"""A repository of which a forge makes games: the jobs, the engine that they run, and a page that says how to begin."""

from __future__ import annotations

from pathlib import Path

from folkmoot.core.clone_files import write_whole
from folkmoot.core.problems import fail
from folkmoot.forges.engine_pin import Pinned, pin
from folkmoot.forges.git_transport import Git
from folkmoot.forges.workflows import BEGIN, FOLDERS, README, beginning
from folkmoot.ops.doctor.repository_files import wanted_workflows, write_git_files

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
