"""An example of a plugin for pytest-backprop: a check of names, a report in plain text."""
