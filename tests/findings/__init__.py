"""What outsiders found, one module a finding."""
