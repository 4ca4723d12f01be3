"""`moot join`: ask to become a player."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from folkmoot.cli.options import pairs_of
from folkmoot.cli.saying import How, Statement, say
from folkmoot.cli.sending import played_game, player_here, read_public_key, remote_view_of
from folkmoot.cli.terminal import Terminal
from folkmoot.core.keys import ROSTER
from folkmoot.core.problems import fail
from folkmoot.files.typed_words import read_typed_word
from folkmoot.game.session import Session
from folkmoot.kernel.act_declarations import joining_action
from folkmoot.player.dry_run import FORGES
from folkmoot.player.proposing import Draft, act_text
from folkmoot.player.sealing import seal_arguments
from folkmoot.referee.people import new_id


def run_join(
    terminal: Terminal,
    /,
    player: str | None,
    name: str | None,
    attributes: tuple[str, ...],
    key: Path | None,
    game: str | None,
    remote: str | None,
    **how: Any,
) -> int:
    """Ask to become a player, by a pull request."""
    view = remote_view_of(terminal, remote).look()
    known = played_game(view, game)
    wanted = player_here(view, known) or new_id(view.record(known).kept(ROSTER), view.person.handle, player or "")
    with view.session(known) as session:
        args = _arguments(session, wanted, name, attributes, read_public_key(key) if key else "")
        args = seal_arguments(session, wanted, joining_action(session.actions()), args)
        draft = Draft(view.record(known))
        draft.act(act_text("join", args, None), f"join-{wanted}.yaml")
        signs = "which git does already" if view.author.signs else "see `moot key --help`"
        signing = f", and what you send must be signed with that key ({signs})" if key else ""
        known_by = f"your account on {FORGES[view.web]}" if view.web else view.author.mail
        statement = Statement(
            made=draft.proposal(view, f"Join as {wanted}"),
            what=f"join {known} as {wanted}",
            record={"game": known, "player": wanted, "args": args},
            sentences=[f"You will be known by {known_by}{signing}."],
            joining=True,
        )
        return say(terminal, view, [session], statement, How(**how)).code


def _arguments(
    session: Session, player: str, name: str | None, attributes: tuple[str, ...], key: str
) -> dict[str, Any]:
    """Return the arguments of joining as this game declares them; raises E-NO-SUCH for one that it does not know."""
    actions = session.actions()
    declared = (actions.get(joining_action(actions)) or {}).get("arguments") or {}
    pairs = pairs_of(attributes, "An attribute")
    given = {"id": player, **({"name": name} if name else {}), **({"key": key} if key else {})}
    own = {n: read_typed_word(word, declared[n].get("type", "")) for n, word in pairs.items() if n in declared}
    rest = {n: read_typed_word(word, "text") for n, word in pairs.items() if n not in declared}
    taken = "attributes" in declared
    unknown = [*(n for n in ("name", "key") if n in given and n not in declared), *(() if taken else rest)]
    if unknown:
        hint = f"joining takes {', '.join(declared) or 'nothing'}; add a key later: `moot key add FILE`"
        raise fail("E-NO-SUCH", f"joining this game takes no {', '.join(unknown)}", None, hint)
    return {**given, **own, **({"attributes": rest} if rest else {})}
