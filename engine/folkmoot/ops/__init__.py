"""What administrators of a game do on a machine or a forge beside playing."""
