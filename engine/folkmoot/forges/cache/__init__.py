"""What every adapter keeps of a forge in the repository itself: refs, and the observation of what was seen and when."""
