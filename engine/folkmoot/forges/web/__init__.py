"""What the adapters of forges with an API over HTTP share: a careful client, its pacing, and our marked comments."""
