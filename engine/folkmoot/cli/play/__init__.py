"""Playing in the browser: the pages that `moot serve` shows in a player's clone have forms that do what commands do."""
