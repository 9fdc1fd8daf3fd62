"""Judging where it can be stopped: each submission's judge is a process of its own, with limits on
time and memory.

`judges` has pytest's side, and the zygote that has the prepared tasks and forks a judge for each
submission; `start` is the clean process that becomes it, and `pool` has several at work. The room
knows when a judge is stopped, and nothing of how a submission is judged.
"""
