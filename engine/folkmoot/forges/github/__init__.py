"""GitHub and GitHub Enterprise Server: pull requests, reviews and comments by the API, commits by git."""

from folkmoot.forges.github.forge import API, GitHubForge

__all__ = ["API", "GitHubForge"]
