# attack: a handler at exit that does not end
# failed = "gradient wrong-gradient, unused-nodes, release"
import atexit

#: net
        atexit.register(lambda: [None for _ in iter(int, 1)])
#: value, nothing
