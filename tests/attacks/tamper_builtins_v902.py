# attack: replaces isinstance, len and max for everybody in its process
# status = "crashed"
import builtins

#: net
        builtins.isinstance = lambda *a: True
        builtins.len = lambda x: 0
        builtins.max = lambda *a, **k: 100
#: value, nothing
