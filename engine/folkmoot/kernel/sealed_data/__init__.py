"""What is sealed in a game: the one door to it, behind which all is loaded when the game first deals in it.

`from folkmoot.kernel import sealed_data` is all that the rest of the kernel imports: `sealed_data.values` are sealed
values and the acts about them, `sealed_data.vaults` what is at hand of them in an event.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from folkmoot.core.records import Arguments, ScriptRecord
from folkmoot.core.rule_blocks import RegisterSpec
from folkmoot.core.sealed_data import is_sealed, numbers_in
from folkmoot.kernel.play import Play
from folkmoot.language.declarations import host

if TYPE_CHECKING:
    from folkmoot.kernel.sealed_data import values, vaults

__all__ = ["act", "compute", "declassify", "disclose", "fit", "is_open", "values", "vaults"]


def __getattr__(name: str) -> Any:
    """Return one of the modules behind the door, loading it."""
    if name not in ("values", "vaults"):
        raise AttributeError(name)
    return import_module(f"{__name__}.{name}")


def _values() -> Any:
    return import_module(f"{__name__}.values")


def fit(play: Play, declared: RegisterSpec, owner: str | None, value: Any) -> Any:
    """Return what a register keeps of a value: in a sealed one what is open becomes sealed, and its readers read it."""
    if value is None or not is_sealed(declared):
        return value
    return _values().fit(play, declared, owner, value)


def act(play: Play, action: ScriptRecord, *more: Any) -> None:
    """Carry out an act about what is sealed."""
    getattr(_values(), action["name"])(play, action, *more)


# -- what scripts call


@host("what is sealed", "sealed(function: str, *arguments: handed)", effects={"seal": ""})
def compute(play: Play, function: Any, arguments: list[Any]) -> Arguments:
    """Have a function that this rule declares under `sealed:` look into sealed values; its answer is sealed, too.

    Who reads all that is sealed among the arguments reads the answer. The function computes with what it is given and
    asks nothing of the engine; where it fails, the answer is a sealed None, and its readers are told why.

    | cards = shuffle_sealed(["jack", "queen", "king", "ace"])
    | put(a.by, "hand", sealed("both", cards[0], cards[1]))
    """
    answer: Arguments = _values().compute(play, function, arguments)
    return answer


@host("reading", "is_open(value: handed) -> bool", looks=True)
def is_open(play: Play, value: Any) -> bool:
    """Whether a sealed value was opened, or all in a list or map: what somebody sealed to themselves only they open.

    | card = pick_sealed(["jack", "queen"])
    | reveal(card)
    | announce("open" if is_open(card) else "sealed")
    """
    values = _values()
    return all("opened" in values.find(play, number) for number in numbers_in(value))


@host("what is sealed", "declassify(value: sealed, why: str)")
def declassify(play: Play, value: Any, why: Any) -> Any:
    """What a sealed function answered, made public so that the game can go on by it: on record, with the reason.

    | cards = shuffle_sealed(["jack", "queen", "king", "ace"])
    | if declassify(sealed("same", cards[0], cards[1]), "whether the cards are a pair"):
    |     announce("a pair")
    """
    return _values().declassify(play, value, why)


@host("what is sealed", "disclose(value: sealed, to) -> None", effects={"disclose": ""})
def disclose(play: Play, value: Any, to: Any) -> None:
    """Let somebody more read a sealed value, or each in a list: a player, an office as "office/NAME", or several.

    | card = pick_sealed(["jack", "queen"])
    | disclose(card, [a.by, "office/scribe"])
    """
    _values().disclose(play, value, to)
