# attack: leaves with status 3
# status = "crashed"
import os

#: net
        os._exit(3)
