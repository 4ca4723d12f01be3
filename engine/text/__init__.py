"""Strict positioned reading and canonical writing of every file that people or the engine write."""

from engine.text.canonical import write_yaml
from engine.text.fast import load_yaml

__all__ = ["load_yaml", "write_yaml"]
