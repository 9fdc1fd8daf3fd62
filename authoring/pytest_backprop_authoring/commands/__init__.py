"""The commands that this distribution adds to `backprop`, one module each; `[project.entry-points]` in
pyproject.toml names them."""
