"""A person's seat at the local forge: opening pull requests, moving them on, and sending letters.

Nothing here touches the work tree or the index, and everything is sent by compare-and-swap, so that nobody's push is
lost to somebody else's.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from folkmoot.core.fault_points import fault_point
from folkmoot.core.problems import ProblemError, fail
from folkmoot.core.values import in_a_row
from folkmoot.files.named_files import read_bytes
from folkmoot.forges.cache.forge_cache import ForgeCache
from folkmoot.forges.cache.refs import (
    FORGE,
    LETTERS,
    Refs,
    Standing,
    next_pull,
    pull_number,
    pull_ref,
    refuse_barred,
)
from folkmoot.forges.cache.untrusted_objects import chain, find_commit, unsound
from folkmoot.forges.git_transport import Move
from folkmoot.forges.local.letters import FILE, Letter, free_chains, own_chains
from folkmoot.journal.git_objects import write_tree
from folkmoot.journal.tree import foundings

_SETTINGS = r"^(user\.name|user\.email|user\.signingkey|commit\.gpgsign|gpg\.format)$"
_YES = frozenset({"true", "yes", "on", "1", ""})


class Author(Struct, frozen=True):
    """Who writes, and whether git signs for them: `key` is the public half, "" if it does not, or only git can tell."""

    name: str
    mail: str
    signs: bool = False
    key: str = ""


class PlayersRepository:
    """A person's side of a local forge: their repository, and where players meet (None where it is this one)."""

    def __init__(self, path: Path | str, remote: str | None = None) -> None:
        self.refs = Refs(Path(path), remote, may_ask=True)

    def author(self) -> Author:
        """Return who git says the person is, and whether they sign with SSH. Raises E-FORGE where it cannot say."""
        lines = self.refs.git.ask(["config", "--get-regexp", _SETTINGS], allowed=(0, 1)).splitlines()
        settings = {name: value for name, _, value in (line.partition(" ") for line in lines)}
        name = os.environ.get("GIT_AUTHOR_NAME") or settings.get("user.name", "")
        mail = os.environ.get("GIT_AUTHOR_EMAIL") or settings.get("user.email", "")
        if not name or not mail:
            hint = 'run `git config user.name "Your Name"` and `git config user.email you@example.org`'
            raise fail("E-FORGE", "git does not know who you are", None, hint)
        signs = settings.get("gpg.format") == "ssh" and settings.get("commit.gpgsign", "no").lower() in _YES
        key = _public_half(settings.get("user.signingkey", ""), self.refs.git.path) if signs else ""
        return Author(name, mail, signs, key)

    def open_pull(self, commit: str) -> int:
        """Return the number of the pull request that has this commit as its head, opened if need be. Raises E-FORGE."""
        return self.refs.again(lambda: self._open_pull(commit))

    def _open_pull(self, commit: str) -> int | None:
        standing = self.refs.read()
        for name, head in standing.refs.items():
            if head == commit and (known := pull_number(name)) is not None:
                return known
        fresh = self.refs.fetch(standing, [FORGE])
        if fresh is None:
            return None
        seen = ForgeCache(self.refs.repo, fresh.forge)
        number = next_pull(seen.standing.highest, standing.names)
        refuse_barred(pull_ref(number), standing.names, self.refs.remote)
        return number if self.refs.move([Move(pull_ref(number), "", commit)]) else None

    def push_pull(self, number: int, commit: str, expected: str) -> bool:
        """Make a commit the head of a pull request; False where its head is not `expected` any more. Raises E-FORGE."""
        return self.refs.move([Move(pull_ref(number), expected, commit)])

    def send(self, letter: Letter, author: Author | None = None, at: int | None = None) -> str:
        """Send a letter of somebody (whom git says that the person is, if not given); returns its id (hex).

        `at` is what the commit shall claim about its time (now, if not given), in seconds; nobody judges by it. Raises
        E-FORGE where it cannot be signed or sent; then nothing was sent.
        """
        writer = author or self.author()
        tried: list[str] = []
        return self.refs.again(lambda: self._send(letter, writer, at, tried))

    def _send(self, letter: Letter, author: Author, at: int | None, tried: list[str]) -> str | None:
        """Try once; `tried` are the commits of earlier tries, one of which may have arrived after all."""
        standing = self.refs.read()
        chains = own_chains(author.mail, standing.refs)
        fresh = self.refs.fetch(standing, [*chains, standing.branch])
        if fresh is None:
            return None
        ref = self._chain(author, fresh)
        tip = fresh.refs.get(ref, "")
        games = foundings(self.refs.repo, fresh.main) if fresh.main and not letter.game else {}
        if len(games) > 1 and author.signs:
            raise fail("E-FORGE", f"which game is this for? Here are {in_a_row(games)}", None, "name it: --game NAME")
        game = letter.game or (next(iter(games.values())) if len(games) == 1 else "")
        seen = (author.signs and fresh.forge) or fresh.main  # what is unsigned counts also where that is begun anew
        letter = replace(letter, game=game, seen=letter.seen or seen)  # so it counts at this table alone
        if tried:
            sent = (name for each in chains for name in chain(self.refs.repo, fresh.refs.get(each, "")))
            arrived = next((name for name in sent if name in tried), None)
            if arrived is not None:
                return arrived
        fault_point("before-write")
        tree = write_tree(self.refs.repo, None, {FILE: letter.as_file().encode()})
        fault_point("half-written")
        where = f"pull request {letter.pull}" if letter.pull else "the game"
        subject = f"{letter.kind.replace('_', ' ').capitalize()}: {where}\n"
        made = self.write(str(tree), [tip] if tip else [], subject, author, at)
        fault_point("written")
        tried.append(made)
        return made if self.refs.move([Move(ref, tip, made)]) else None

    def _chain(self, author: Author, standing: Standing) -> str:
        """Return the ref that a letter goes to: the first that nothing bars, and that a commit can be put on top of."""
        for ref in free_chains(author.mail, standing.names):
            tip = standing.refs.get(ref, "")
            if not tip:
                return ref
            repo, git = self.refs.repo, self.refs.git
            known = [name for name in (standing.forge, standing.main) if find_commit(repo, name) is not None]
            is_here = ref not in standing.missing and find_commit(repo, tip) is not None
            if is_here and not unsound(git, repo.path, [tip], known):
                return ref
        refuse_barred(FORGE, standing.names, self.refs.remote)
        raise fail("E-FORGE", f"no ref below {LETTERS} can be written to", None, "ask whoever keeps the repository")

    def write(self, tree: str, parents: Sequence[str], message: str, author: Author, at: int | None = None) -> str:
        """Store a commit of a tree on top of others, signed if the author signs; returns its id (hex).

        No ref is moved. `at` is what it claims about its time, in seconds. Raises E-FORGE where git cannot sign it.
        """
        words = ["commit-tree", tree, *(word for parent in parents for word in ("-p", parent))]
        stamp = {} if at is None else {"GIT_AUTHOR_DATE": f"@{at} +0000", "GIT_COMMITTER_DATE": f"@{at} +0000"}
        names = {"GIT_AUTHOR_NAME": author.name, "GIT_COMMITTER_NAME": author.name}
        mails = {"GIT_AUTHOR_EMAIL": author.mail, "GIT_COMMITTER_EMAIL": author.mail}
        signing = ["-S"] if author.signs else []
        return self.refs.git.ask([*words, *signing], message.encode(), {**names, **mails, **stamp})


def _public_half(setting: str, folder: Path) -> str:
    """Return the public half of the key that git's setting names, itself or by a file; "" where neither tells it."""
    words = setting.removeprefix("key::").split()
    if len(words) < 2 or not words[0].startswith(("ssh-", "ecdsa-", "sk-")):
        path = folder / Path(setting).expanduser()
        words = [*_words_in(path.with_name(f"{path.name}.pub")), *_words_in(path)] if path.name else []
    return " ".join(words[:2]) if len(words) > 1 and words[0].startswith(("ssh-", "ecdsa-", "sk-")) else ""


def _words_in(file: Path) -> list[str]:
    with suppress(OSError, ValueError, ProblemError):
        return read_bytes(file).decode("utf-8", "replace").split()
    return []
