"""The sandbox: the process in which the kernel and the scripts run, its border and its limits.

The names below are loaded when they are first used, because the process itself needs none of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from folkmoot.sandbox.client import Applied, Sandbox

__all__ = ["Applied", "Sandbox"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from folkmoot.sandbox import client

    return getattr(client, name)
