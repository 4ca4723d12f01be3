"""One module for each command of `moot`, imported only when its command is called."""
