"""The command `moot`, and `python -m folkmoot`."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run `moot` on the words of the command line, and exit."""
    _open_standard_streams()
    from folkmoot.cli.main import main as run

    run()


def _open_standard_streams() -> None:
    """Let the first three numbers of files lead to nothing where they are closed, lest the sandbox's pipes get them."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:  # that of standard error
        os.set_inheritable(number, True)  # noqa: FBT003 (os's own signature)
    os.close(number)
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8")  # noqa: SIM115 (it stays open as long as the process lives)


if __name__ == "__main__":
    main()
