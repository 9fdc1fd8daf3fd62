"""From a submission to its grade: `pipeline` knows the order of the steps, and it alone.

`runs` runs submissions in children, `provenance` makes of a child's evidence the case that checks
are given, `rubric` makes a grade of their verdicts; `judge` does all of it in a process with limits
of its own. It does not know pytest, where files came from, or what reports look like; what it asks
of `repair/`, `onnx/` and `likeness/` it is given (`rooms`)."""
