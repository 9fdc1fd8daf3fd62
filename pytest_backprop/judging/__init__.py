"""One module a check: a pure function of a `Case` and the rubric's rules for it. It does not
know how the case came about, or what else is checked."""
