"""Runs student code where it can do no harm.

`client` is the grader's side. It starts one `zygote`, a fresh interpreter that imports torch once
and forks a `child` a submission. `protocol` is what they say to each other; `sandbox` what a child
gives up before it runs a line of the student's.
"""
