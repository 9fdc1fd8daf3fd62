# attack: forks twice, leaves the session, and stays
# failed = "gradient wrong-gradient, unused-nodes, release"
import os
import time

#: torch, tried, class
        try:
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    time.sleep(600)
                os._exit(0)
        except OSError:
            pass
#: value, nothing
