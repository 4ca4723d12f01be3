"""The sandbox: the process in which the kernel and the scripts run, its border and its limits."""
