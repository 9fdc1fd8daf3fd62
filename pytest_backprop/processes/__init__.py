"""Processes that run and judge a submission, where they can do no harm and can be stopped.

Whoever asks has a worker (`client`), which has a process answer each request: on Linux one that a
zygote forks, which has imported what is slow to import (`forked`, `zygote`), elsewhere a fresh
interpreter (`fresh`). It is watched from outside (`supervisor`), and gives up what it can before it
runs students' code (`serving`, `limits`, `sandbox`). The room knows nothing of a task or a grade.
"""
