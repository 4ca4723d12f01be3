"""Strict positioned reading and canonical writing of every file that people or the engine write."""
