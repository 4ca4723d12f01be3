"""What is sealed in a game: the one door to it, behind which all is loaded when the game first deals in it.

`from folkmoot.kernel import sealed_data` is all that the rest of the kernel imports: `sealed_data.values` are sealed
values, `sealed_data.vaults` what is at hand of them in an event, `sealed_data.acts` the acts about them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from folkmoot.core.records import Arguments, ScriptRecord
from folkmoot.core.rule_blocks import RegisterSpec
from folkmoot.core.sealed_data import is_sealed, numbers_in
from folkmoot.kernel.play import Play

if TYPE_CHECKING:
    from folkmoot.kernel.sealed_data import acts, values, vaults

__all__ = ["act", "acts", "compute", "declassify", "disclose", "fit", "is_open", "values", "vaults"]


def __getattr__(name: str) -> Any:
    """Return one of the modules behind the door, loading it."""
    if name not in ("acts", "values", "vaults"):
        raise AttributeError(name)
    return import_module(f"{__name__}.{name}")


def fit(play: Play, declared: RegisterSpec, owner: str | None, value: Any) -> Any:
    """Return what a register keeps of a value: in a sealed one what is open becomes sealed, and its readers read it."""
    from folkmoot.kernel.sealed_data import values

    return values.fit(play, declared, owner, value) if is_sealed(declared) and value is not None else value


def act(play: Play, action: ScriptRecord, *more: Any) -> None:
    """Carry out an act about what is sealed."""
    from folkmoot.kernel.sealed_data import acts

    getattr(acts, action["name"])(play, action, *more)


# -- what scripts call


def compute(play: Play, function: Any, arguments: list[Any]) -> Arguments:
    """Have a sealed function of the rule that runs look into values; returns what stands for its answer."""
    from folkmoot.kernel.sealed_data import values

    return values.compute(play, function, arguments)


def is_open(play: Play, value: Any) -> bool:
    """Whether nothing in a value is sealed any more."""
    from folkmoot.kernel.sealed_data import values

    return all("opened" in values.find(play, number) for number in numbers_in(value))


def declassify(play: Play, value: Any, why: Any) -> Any:
    """Open what a sealed function answered, so that the game goes on by it, and say why."""
    from folkmoot.kernel.sealed_data import values

    return values.declassify(play, value, why)


def disclose(play: Play, value: Any, to: Any) -> None:
    """Let somebody more read a sealed value, or each in a list: players, or offices as `office/scribe`."""
    from folkmoot.kernel.sealed_data import values

    values.disclose(play, value, to)
