"""Forgejo and Gitea: pull requests, reviews and comments by the API, commits by git."""

from folkmoot.forges.gitea.forge import GiteaForge

__all__ = ["GiteaForge"]
