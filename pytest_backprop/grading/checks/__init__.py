"""One module a check: a pure function of a `Case` and the rubric's rules for it."""
