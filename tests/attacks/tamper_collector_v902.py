# attack: turns the collector off, freezes it and hooks into it
# failed = "gradient wrong-gradient, unused-nodes, release"
import gc

#: net
        gc.disable()
        gc.freeze()
        gc.callbacks.append(lambda *a: None)
        gc.set_threshold(1)
#: value, nothing
