"""Taking the games of a repository to another forge."""
