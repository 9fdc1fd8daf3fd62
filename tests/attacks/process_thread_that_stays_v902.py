# attack: a thread that is no daemon and never ends
# failed = "gradient wrong-gradient, unused-nodes, release"
import threading
import time

#: torch, tried, class
        threading.Thread(target=lambda: [time.sleep(1) for _ in range(600)]).start()
#: value, nothing
