"""The command `moot`, and `python -m folkmoot`."""

from __future__ import annotations

import os
import signal
import sys


def main() -> None:
    """Run `moot` on the words of the command line, and exit; an interruption before and after just ends it."""
    heard = signal.getsignal(signal.SIGINT)  # which is ignored where it runs behind a terminal
    quiet = signal.SIG_DFL if heard is signal.default_int_handler else heard
    signal.signal(signal.SIGINT, quiet)
    _open_standard_streams()
    from folkmoot.cli.main import main as run

    try:
        signal.signal(signal.SIGINT, heard)
        run()
    except KeyboardInterrupt:  # once more, while the first one was told
        raise SystemExit(128 + signal.SIGINT) from None
    finally:
        signal.signal(signal.SIGINT, quiet)


def _open_standard_streams() -> None:
    """Let the first three numbers of files lead to nothing where they are closed, lest the sandbox's pipes get them."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:  # that of standard error
        os.set_inheritable(number, True)  # noqa: FBT003 (os's own signature)
    os.close(number)
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8")  # noqa: SIM115 (it stays open as long as the process lives)


if __name__ == "__main__":
    main()
