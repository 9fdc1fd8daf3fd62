# attack: aborts
# status = "crashed"
import os

#: net
        os.abort()
