"""Strict positioned reading and canonical writing of every file that people or the engine write."""

from engine.text.canonical import write_yaml
from engine.text.fast import load_yaml
from engine.text.rewrite import render_rule

__all__ = ["load_yaml", "render_rule", "write_yaml"]
