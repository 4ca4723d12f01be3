"""What the commands of a person have in common: where they play, which game is meant, and sending what they say."""

from __future__ import annotations

from pathlib import Path

from folkmoot.cli.games import EVENING
from folkmoot.cli.repositories import address_of, fork_note, repository_of
from folkmoot.cli.terminal import Terminal
from folkmoot.core.documents import Roster
from folkmoot.core.keys import ROSTER
from folkmoot.core.problems import Position, fail
from folkmoot.core.values import in_a_row
from folkmoot.files.named_files import read_start
from folkmoot.forges.local.letters import Letter
from folkmoot.player.remote_view import PullSeen, RemoteView, player_in

LARGEST = 20_000  # bytes of a file of a key


def remote_view_of(terminal: Terminal, remote: str | None, seconds: float | None = None) -> RemoteView:
    """Return where the players of this repository meet; nothing is asked of it yet."""
    repo, seconds = repository_of(terminal), terminal.patience if seconds is None else seconds
    address = address_of(repo, remote)
    if remote is None and (note := fork_note(repo, address)):
        terminal.note(note)
    return RemoteView(Path(repo.workdir or repo.path), address, seconds, terminal.standing)


def played_game(view: RemoteView, name: str | None) -> str:
    """Return the name of the game that is meant: by name or path, or the only one that is played by pull requests.

    Among several it is the only one that is not over.

    Raises E-NO-GAME where none or several may be meant, E-STATUS where one person keeps it.
    """
    games = view.games()
    wanted = Path(name).name if name else None
    if wanted is None:
        played = [game for game in games if view.forge_of(game) is not None]
        played = [game for game in played if not view.is_over(game)] or played
        if len(played) != 1 and len(games) != 1:
            known = f"which game? There are {in_a_row(played or games)}" if games else "there is no game"
            raise fail("E-NO-GAME", f"{known} in {view.place}", None, "name one with `--game`")
        wanted = (played or games)[0]
    if wanted not in games:
        known = in_a_row(games) or "none"
        raise fail(
            "E-NO-GAME",
            f"there is no game {wanted!r} in {view.place}; there is {known}",
            None,
            "name it: `--game NAME`",
        )
    if view.forge_of(wanted) is None:
        hint = "acts are recorded by `moot act ACTION --by PLAYER`; `moot act use_forge forge=local` changes that"
        raise fail("E-STATUS", f"the game {wanted} is kept by one person, not played by pull requests", None, hint)
    return wanted


def to_thread(view: RemoteView, game: str, body: str) -> Letter:
    """Return a comment on the game's own thread, which names the game where there are several."""
    return Letter(pull=0, kind="comment", body=f"/game {game}\n{body}" if len(view.games()) > 1 else body)


def title_of(pull: PullSeen) -> str:
    """Return how a pull request is named in sentences."""
    return f"pull request {pull.number}, “{pull.title}”"


def own_pull(view: RemoteView, number: int, hint: str) -> PullSeen:
    """Return a pull request of the person's; raises E-NOT-PLAYER where it is somebody else's."""
    pull = view.wanted(number)
    if not view.web and pull.author.id != view.person.id:
        raise fail("E-NOT-PLAYER", f"{title_of(pull)} is {pull.author.handle}'s, not yours", None, hint)
    return pull


def next_step(view: RemoteView) -> str:
    """Return what happens to what was sent."""
    if EVENING in view.repo.config:
        return "The others answer when you say `moot demo --next`."
    if view.web:
        return "The referee takes it in when it next runs; what came of it stands there, below it."
    if view.wakes:
        return "The referee of this table looks at it by itself; `moot status` says what came of it."
    where = "" if view.remote is None else ", whoever runs it"
    return f"The referee takes it in when it next looks (`moot referee`{where}); `moot status` says what came of it."


def player_here(view: RemoteView, game: str) -> str | None:
    """Return the player who sits at this clone in a game, also a former one; None for strangers."""
    return player_in(view, people_of(view, game), view.forge_of(game) or "local")


def people_of(view: RemoteView, game: str) -> Roster:
    """Return the roster of a game."""
    return view.record(game).kept(ROSTER)


def read_public_key(path: Path) -> str:
    """Return the public key in a file as `ssh-ed25519 AAAA…`, without its comment.

    Raises E-SECRET for a private key, of which nothing is shown or sent, and E-ARGS for anything else.
    """
    if not path.exists():
        raise fail("E-ARGS", f"there is no file {path}", None, "`ssh-keygen -t ed25519` makes a key, and says where")
    data = read_start(path, LARGEST + 1)
    if b"PRIVATE" in data.upper() or b"PuTTY-User-Key-File" in data:
        public = path.with_name(path.name + ".pub")
        hint = f"give {public}" if public.exists() else "give the public half: `ssh-keygen -y -f FILE` prints it"
        raise fail("E-SECRET", f"{path} is a PRIVATE key; nothing of it was shown or sent", None, hint)
    lines = [line for line in data.decode(errors="replace").splitlines() if line.strip() and not line.startswith("#")]
    words = " ".join(lines[0].split()[:2]) if len(lines) == 1 and len(data) <= LARGEST else ""
    from folkmoot.kernel.kernel_acts import KEY  # all of play comes with it

    if not KEY.fullmatch(words):
        hint = "such a file has one line, as in `ssh-ed25519 AAAA… you@here`; `ssh-keygen -t ed25519` makes a key"
        raise fail("E-ARGS", "this is not the public half of an SSH key", Position(str(path)), hint)
    return words
