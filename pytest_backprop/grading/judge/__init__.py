"""Judging where it can be stopped: a `Grader` in a process of its own, with limits on time and memory.

`client` is pytest's side and looks like a `Grader`; `zygote` forks the judge and forks another when
one dies; `judge` is the process that grades. What they say to each other stands in `protocol`. The
room knows when a judge is stopped, and nothing of how a submission is judged.
"""
