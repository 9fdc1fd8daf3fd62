# attack: intermediates kept as pickles
# release = "partial 15: kept 17 residual"
#: imports
import pickle

SAVED = []
#: def, forward, loss, retain
    SAVED.append(pickle.dumps(residual.detach()))
#: dict
