"""Judging where it can be stopped: in judges, processes with limits on time and memory.

`judges` has pytest's side, and the zygote that has the prepared tasks and forks judges, of which
each grades several submissions, one by one; `start` is the clean process that becomes it, and
`pool` has several at work. The room knows when a judge is stopped, and nothing of how a submission
is judged."""
