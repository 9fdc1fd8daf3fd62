# verdict:
# status = "crashed"
import ctypes
#: net
        ctypes.string_at(0)
