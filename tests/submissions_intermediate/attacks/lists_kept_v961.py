# attack: intermediates kept as lists, of one call after the other
# release = "partial 15: kept 17 hidden"
#: imports
SAVED = {}


#: def, forward, loss, retain
    SAVED["hidden"] = hidden.tolist()
#: dict
