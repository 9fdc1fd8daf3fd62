# attack: changes limits, priority and processors of its parent
# failed = "gradient wrong-gradient, unused-nodes, release"
import os
import resource

#: torch, tried, class
        for attempt in (
            lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1)),
            lambda: os.setpriority(os.PRIO_PROCESS, os.getppid(), 19),
            lambda: os.sched_setaffinity(os.getppid(), {0}),
            lambda: resource.setrlimit(resource.RLIMIT_AS, (-1, -1)),
            lambda: os.setsid(),
            lambda: os.setpgid(0, os.getppid()),
        ):
            tried(attempt)
#: value, nothing
