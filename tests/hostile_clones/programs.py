"""Programs that a clone names, and what may be damaged in one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

HOOKS = (
    *("applypatch-msg", "commit-msg", "fsmonitor-watchman", "post-applypatch", "post-checkout", "post-commit"),
    *("post-index-change", "post-merge", "post-receive", "post-rewrite", "post-update", "pre-applypatch"),
    *("pre-auto-gc", "pre-commit", "pre-merge-commit", "pre-push", "pre-rebase", "pre-receive", "prepare-commit-msg"),
    *("proc-receive", "push-to-checkout", "reference-transaction", "sendemail-validate", "update"),
)
PROGRAMS = (
    *("core.alternateRefsCommand", "core.editor", "core.fsmonitor", "core.gitProxy", "core.pager", "diff.external"),
    *("diff.trap.command", "diff.trap.textconv", "filter.trap.clean", "filter.trap.process", "filter.trap.smudge"),
    *("gpg.program", "gpg.ssh.defaultKeyCommand", "gpg.ssh.program", "interactive.diffFilter", "merge.trap.driver"),
    *("remote.origin.receivepack", "remote.origin.uploadpack", "tar.tar.command", "uploadpack.packObjectsHook"),
)
ATTRIBUTES = "* filter=trap diff=trap merge=trap ident working-tree-encoding=UTF-16\n"


def write(name: str, text: str) -> Callable[[Path], None]:
    """Return what writes a file of git's own."""

    def plant(own: Path) -> None:
        (own / name).parent.mkdir(parents=True, exist_ok=True)
        (own / name).write_text(text)

    return plant


HARMLESS = {
    "a pull request that leads in a circle": write("refs/pull/9/head", "ref: refs/pull/9/head\n"),
    "a pull request that follows the branch": write("refs/pull/9/head", "ref: refs/heads/main\n"),
    "a branch that leads in a circle": write("refs/heads/loop", "ref: refs/heads/loop\n"),
}
DAMAGED = {
    "objects borrowed from nowhere": write("objects/info/alternates", "/nowhere/objects\n../objects\n/dev/zero\n"),
    "borrowed from bytes": write("objects/info/alternates", "".join(map(chr, range(1, 128))) * 50),
    "packed refs": write("packed-refs", "junk\n"),
    "a packed name that leads out": write("packed-refs", f"{'1' * 40} refs/heads/../../x\n"),
    "a packed ref to nothing": write("packed-refs", f"{'1' * 40} refs/heads/gone\n"),
    "a ref that is none": write("refs/heads/junk", "junk\n"),
    "the branch": write("refs/heads/main", "junk\n"),
    "the branch to nothing": write("refs/heads/main", "1" * 40 + "\n"),
    "HEAD": write("HEAD", "junk\n"),
    "HEAD in a circle": write("HEAD", "ref: HEAD\n"),
    "HEAD that leads out": write("HEAD", "ref: ../../../etc/passwd\n"),
    "settings": write("config", "[core\njunk"),
    "settings that include themselves": write("config", "[include]\n\tpath = config\n"),
    "an extension": write("config", "[core]\n\trepositoryformatversion = 1\n[extensions]\n\twhatever = 1\n"),
    "a format to come": write("config", "[core]\n\trepositoryformatversion = 99\n"),
    "shallow": write("shallow", "junk\n"),
}
