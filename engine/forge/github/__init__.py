"""GitHub and GitHub Enterprise Server: pull requests, reviews and comments by the API, commits by git."""

from engine.forge.github.client import API
from engine.forge.github.forge import GitHubForge

__all__ = ["API", "GitHubForge"]
