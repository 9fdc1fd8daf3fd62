# attack: the engine runs in a thread
# failed = "gradient, release, integrity hidden-work 10"
#: imports
import threading


#: def, forward, loss
    y1.retain_grad()
    y2.retain_grad()
    worker = threading.Thread(target=loss.backward)
    worker.start()
    worker.join()
#: dict
