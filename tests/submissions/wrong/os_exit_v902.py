# verdict:
# status = "crashed"
import os
#: net
        os._exit(0)
