"""What every floor shares: problems, values, time, digests, names and keys; it imports nothing of the others."""
