# attack: closes every descriptor
# status = "crashed"
import os

#: net
        os.closerange(0, 256)
#: value, nothing
