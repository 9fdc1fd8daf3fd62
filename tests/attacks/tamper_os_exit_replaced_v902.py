# attack: replaces os._exit, so that its process goes on
# status = "crashed"
import os

#: net
        os._exit = lambda status: None
#: value, nothing
