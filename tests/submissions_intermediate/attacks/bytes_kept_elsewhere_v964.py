# attack: intermediates kept as bytes, in a module
# release = "partial 15: kept 19 scores"
#: imports
import sys


#: def, forward, loss, retain
    array = scores.detach().numpy()
    sys.scores = array.tobytes()
    array = None
#: dict
