"""The judge: the process in which the kernel and the scripts run, its border and its limits."""

from engine.judge.process import Applied, Judge

__all__ = ["Applied", "Judge"]
