# attack: leaves while its model is made
# status = "crashed"
import os

#: model
        os._exit(0)
#: forward, pass, value
        return y
