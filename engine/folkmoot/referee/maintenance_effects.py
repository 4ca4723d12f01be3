"""What a pull request of no game changes of what runs the referee, as others are told of it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Keeping(Struct, frozen=True, kw_only=True):
    """What a pull request changes of what runs the referee.

    `pinned` is the engine's version after it ("" where the pin stays as it is), `told` what a maintainer should know,
    `wrong` why no job would run after it, each a sentence without its full stop.
    """

    pinned: str = ""
    told: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()

    def faults(self, games: Mapping[str, str]) -> list[str]:
        """Return why it must not be merged; `games` are the versions of the engines that judge them, by name."""
        from folkmoot.forges.engine_pin import too_old  # only where a pin changes

        older = too_old(self.pinned, games) if self.pinned else ""
        return [*self.wrong, *([f"the pin goes back to Folkmoot {older}"] if older else [])]


NOTHING = Keeping()
