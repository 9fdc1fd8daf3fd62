"""For our own tests only: graders run with no conftest at all (see `plugin.py`)."""

pytest_plugins = "pytester"
