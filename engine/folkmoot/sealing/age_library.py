"""The library behind boxes and keys, loaded when it is first needed; games without sealed data never pay for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from folkmoot.core.problems import fail

if TYPE_CHECKING:
    from types import ModuleType

Answer = TypeVar("Answer")


def age_library() -> ModuleType:
    """Return pyrage; raises E-OUTSIDE where this system has none."""
    try:
        import pyrage
    except ImportError:
        hint = "`pip install pyrage` says why; games without sealed data do not need it"
        raise fail("E-OUTSIDE", "sealed data needs the library pyrage, which is not installed", None, hint) from None
    library: ModuleType = pyrage
    return library


def asked(call: Callable[[], Answer]) -> Answer | None:
    """Return what the library answers, None where it refuses: what it says of that may show what it read."""
    try:
        return call()
    except Exception:  # noqa: BLE001  its errors are of many types, and none of their words are for people
        return None
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # it is no Exception, so that nothing catches it by chance
            raise
        return None
