"""Whatever git would start a program for: hooks, settings, attributes, filters, protocols, submodules."""

from __future__ import annotations

import os
from functools import partial

from tests.hostile_clones.ground import GAME, Clone, Kind, git
from tests.hostile_clones.programs import ATTRIBUTES, HOOKS, PROGRAMS

MORE = (
    *("core.sshCommand", "core.askPass", "sequence.editor", "gpg.x509.program", "gpg.openpgp.program", "pager.log"),
    *("pager.status", "pager.diff", "credential.helper", "diff.tool", "difftool.trap.cmd", "mergetool.trap.cmd"),
    *("merge.tool", "browser.trap.cmd", "web.browser", "man.trap.cmd", "alias.log", "alias.status", "alias.fetch"),
    *("core.fsmonitorHook", "trailer.trap.command", "trailer.trap.cmd", "sendemail.tocmd", "guitool.trap.cmd"),
    *("remote.origin.vcs", "blame.ignoreRevsFile", "instaweb.httpd", "init.templateDir", "commit.template"),
)


def _settings(clone: Clone) -> None:
    for name in (*PROGRAMS, *MORE):
        section, _, key = name.rpartition(".")
        first, dot, rest = section.partition(".")
        shell = "!" if first in ("alias", "credential") else ""
        value = clone.trap(name)
        clone.settings(f"[{first}{f' {chr(34)}{rest}{chr(34)}' if dot else ''}]\n\t{key} = {shell}{value}\n")


def _hooks(clone: Clone) -> None:
    (clone.git / "hooks").mkdir(exist_ok=True)
    for hook in HOOKS:
        (clone.git / "hooks" / hook).unlink(missing_ok=True)
        (clone.git / "hooks" / hook).symlink_to(clone.trap(f"hook-{hook}"))


def _hooks_elsewhere(clone: Clone) -> None:
    for hook in HOOKS:
        path = clone.root / "ci" / "hooks" / hook
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{clone.trap(f'path-{hook}')}\n", "utf-8")
        path.chmod(0o755)
    clone.commit()
    clone.settings("[core]\n\thooksPath = ci/hooks\n")


def _filters(clone: Clone) -> None:
    if clone.git != clone.root:
        clone.write(".gitattributes", f"{ATTRIBUTES}*.yaml text eol=crlf ident export-subst\n")
        clone.commit()
    (clone.git / "info").mkdir(exist_ok=True)
    (clone.git / "info/attributes").write_text(ATTRIBUTES, "utf-8")
    for key in ("clean", "smudge", "process"):
        clone.settings(f'[filter "trap"]\n\t{key} = {clone.trap(f"filter-{key}")}\n\trequired = true\n')
    clone.settings(f'[diff "trap"]\n\ttextconv = {clone.trap("textconv")}\n\tcommand = {clone.trap("diff")}\n')
    clone.settings(f'[merge "trap"]\n\tdriver = {clone.trap("merge")} %A\n')


def _watcher(clone: Clone) -> None:
    clone.settings(f"[core]\n\tfsmonitor = {clone.trap('fsmonitor')}\n\tuntrackedCache = true\n\tsplitIndex = true\n")


def _signing(clone: Clone) -> None:
    clone.settings(
        "[commit]\n\tgpgSign = true\n[tag]\n\tgpgSign = true\n[push]\n\tgpgSign = true\n[log]\n\tshowSignature = true\n"
    )
    for name in ("openpgp", "ssh", "x509"):
        clone.settings(f'[gpg "{name}"]\n\tprogram = {clone.trap(f"gpg-{name}")}\n')
    clone.settings(f"[gpg]\n\tprogram = {clone.trap('gpg-own')}\n")


def _included(where: str, clone: Clone) -> None:
    """Let settings stand in a file that the settings include, from the work tree or by a condition."""
    named = "".join(
        f"[core]\n\t{key} = {clone.trap(f'included-{key}')}\n" for key in ("fsmonitor", "sshCommand", "pager", "editor")
    )
    if clone.git != clone.root:
        clone.write("ci/settings", f"{named}[core]\n\thooksPath = ci/hooks\n")
        clone.commit()
    (clone.git / "more").write_text(named, "utf-8")
    clone.settings(where)


def _submodules(clone: Clone) -> None:
    if clone.git != clone.root:
        clone.write(".gitmodules", '[submodule "x"]\n\tpath = x\n\turl = -u./trap\n\tupdate = !touch /nowhere\n')
        clone.commit()
    clone.settings(
        f'[submodule]\n\trecurse = true\n[submodule "x"]\n\turl = ext::{clone.trap("sub")}\n\tupdate = !{clone.trap("sub")}\n'
    )
    clone.settings("[fetch]\n\trecurseSubmodules = true\n[push]\n\trecurseSubmodules = on-demand\n")


def _remote(url: str, more: str, clone: Clone) -> None:
    """Let the remote lead to a program."""
    text = (clone.git / "config").read_text("utf-8")
    for name in ("origin", "upstream", "table"):
        text += f'[remote "{name}"]\n\tfetch = +refs/heads/*:refs/remotes/{name}/*\n\turl = {url.format(clone.trap("remote"))}\n'
    (clone.git / "config").write_text(
        text.replace(f"url = {clone.ground.folder}/table.git", f"url = {url.format(clone.trap('remote'))}"), "utf-8"
    )
    clone.settings(more.format(clone.trap("transport")))


def _repository_within(clone: Clone) -> None:
    """Let the game's folder hold a repository that git knows of, whose files go through a filter of its own."""
    if clone.git == clone.root:
        return
    within = clone.root / f"state/{GAME}/within"
    within.mkdir()
    git(within, "init", "-q", "--template=", ".")
    (within / ".gitattributes").write_text("* filter=trap\n", "utf-8")
    git(within, "add", "-A")
    git(within, "-c", "user.name=x", "-c", "user.email=x@x.org", "commit", "-q", "-m", "Within")
    clone.write(".gitmodules", f'[submodule "x"]\n\tpath = state/{GAME}/within\n\turl = x\n\tignore = none\n')
    git(clone.root, "rm", "-q", "--cached", f"state/{GAME}/head.yaml")  # so that git is asked what else was changed
    git(clone.root, "add", f"state/{GAME}/within", ".gitmodules")
    git(clone.root, "-c", "user.name=x", "-c", "user.email=x@x.org", "commit", "-q", "-m", "Within")
    git(within, "config", "filter.trap.clean", clone.trap("within"))
    git(within, "config", "core.fsmonitor", clone.trap("watcher-within"))
    os.utime(within / ".gitattributes", (0, 0))  # so that git looks whether it was changed


def _remote_within(url: str, clone: Clone) -> None:
    """Let the remote be a repository that came with the clone, whose hooks are the clone's."""
    if clone.git == clone.root:
        return
    within = clone.root / "within.git"
    git(clone.root, "clone", "-q", "--bare", "--template=", ".", str(within))
    (within / "hooks").mkdir()
    for hook in HOOKS:
        (within / "hooks" / hook).symlink_to(clone.trap(f"hook-within-{hook}"))
    git(clone.root, "config", "remote.origin.url", url)


def _gitdir(clone: Clone) -> None:
    """Let `.git` be a file that leads to a folder in the work tree, with hooks and settings of its own."""
    if clone.git == clone.root:
        return
    _settings(clone)
    _hooks(clone)
    (clone.root / ".git").rename(clone.root / "ci-git")
    clone.write(".git", "gitdir: ci-git\n")


KINDS = {
    "hooks": Kind(_hooks),
    "hooks elsewhere": Kind(_hooks_elsewhere),
    "settings that name programs": Kind(_settings),
    "filters": Kind(_filters),
    "a watcher": Kind(_watcher),
    "signing": Kind(_signing, own=("gpg",)),
    "settings that are included": Kind(partial(_included, "[include]\n\tpath = more\n")),
    "settings of the work tree": Kind(partial(_included, "[include]\n\tpath = ../ci/settings\n")),
    "settings on condition": Kind(partial(_included, '[includeIf "onbranch:*"]\n\tpath = more\n[includeIf "gitdir:/**"]\n\tpath = more\n')),
    "submodules": Kind(_submodules),
    "a remote that is a program": Kind(partial(_remote, "ext::{0} %S", '[protocol]\n\tallow = always\n[protocol "ext"]\n\tallow = always\n')),
    "a remote by ssh": Kind(partial(_remote, "ssh://nobody@127.0.0.1:1/x.git", "[core]\n\tsshCommand = {0}\n"), own=("ssh",)),
    "a remote that is an option": Kind(partial(_remote, "-u{0}", "")),
    "a remote with an option for ssh": Kind(partial(_remote, "ssh://-oProxyCommand={0}/x.git", "")),
    "a repository within": Kind(_repository_within),
    "a remote within": Kind(partial(_remote_within, "./within")),
    "a remote within, by the folder of a process": Kind(partial(_remote_within, "file:///pro%63/self/cwd/within.git")),
    "a remote of a helper": Kind(partial(_remote, "trap::/nowhere", '[remote "origin"]\n\tvcs = trap\n')),
    "a remote that packs by a program": Kind(partial(_remote, "../table.git", '[remote "origin"]\n\tuploadpack = {0}\n\treceivepack = {0}\n')),
    "a proxy that is a program": Kind(partial(_remote, "git://127.0.0.1:1/x.git", "[core]\n\tgitProxy = {0}\n")),
    "a folder of git elsewhere": Kind(_gitdir),
}  # fmt: skip
