# attack: leaves with status 0
# status = "crashed"
import os

#: net
        os._exit(0)
