"""The kernel's inner half: documents, law in force, dispatch of hooks, life of proposals; pure and without any game."""
