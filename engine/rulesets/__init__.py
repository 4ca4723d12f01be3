"""The packaged opening positions, as data."""
