"""The forge that is plain git: pull requests, letters and what was seen of them are refs of one repository."""
