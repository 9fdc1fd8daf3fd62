# attack: starts processes through multiprocessing
# failed = "gradient wrong-gradient, unused-nodes, release"
import multiprocessing
import time

#: torch, tried, class
        for attempt in (
            lambda: multiprocessing.get_context("fork").Process(target=time.sleep, args=(600,)).start(),
            lambda: multiprocessing.get_context("spawn").Process(target=time.sleep, args=(600,)).start(),
            lambda: multiprocessing.get_context("forkserver").Process(target=time.sleep, args=(600,)).start(),
        ):
            tried(attempt)
#: value, nothing
