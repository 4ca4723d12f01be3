"""What games show, drawn in the terminal."""
