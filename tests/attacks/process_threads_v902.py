# attack: starts sixty threads that stay
# failed = "gradient wrong-gradient, unused-nodes, release"
import threading
import time

#: torch, tried, class
        for _ in range(60):
            tried(lambda: threading.Thread(target=time.sleep, args=(600,), daemon=True).start())
#: value, nothing
