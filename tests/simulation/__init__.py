"""A simulation: one process in which a virtual clock, disk, network and forge let a game be played in all weathers."""
