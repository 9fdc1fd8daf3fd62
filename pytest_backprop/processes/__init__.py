"""Processes that run and judge a submission, where they can do no harm and can be stopped.

A zygote (`zygote`) has imported what is slow to import and forks a process for each request, which
answers and ends; whoever asks (`client`) watches it from outside (`supervisor`). One kind of zygote
runs students' code: its `child` gives up files, sockets and processes first (`sandbox`). The room
knows nothing of a task or a grade.
"""
