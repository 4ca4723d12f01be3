"""The command `moot`: the only place that prints and exits."""
