# attack: reads address 0
# status = "crashed"
import ctypes

#: net
        ctypes.string_at(0)
