"""The command `moot`, and `python -m folkmoot`: the sandbox begins to load before the command itself does."""

from __future__ import annotations

import os
import sys

from folkmoot.cli.early_start import begin_before


def main() -> None:
    """Run `moot` on the words of the command line, and exit."""
    _open_standard_streams()
    begin_before(sys.argv[1:])
    _load_msgspec()
    from folkmoot.cli.main import main as run

    run()


def _open_standard_streams() -> None:
    """Let the first three numbers of files lead to nothing where they are closed, lest the sandbox's pipes get them."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:  # that of standard error
        os.set_inheritable(number, True)  # noqa: FBT003 (os's own signature)
    os.close(number)
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8")  # noqa: SIM115 (it stays open as long as the process lives)


def _load_msgspec() -> None:
    """Load msgspec without `typing_extensions`, which it does as well without, and which is as large as all of it."""
    if "typing_extensions" not in sys.modules:
        sys.modules["typing_extensions"] = None  # type: ignore[assignment]
        import msgspec  # noqa: F401

        del sys.modules["typing_extensions"]


if __name__ == "__main__":
    main()
