# verdict:
# why = "all in one dict"
#: imports
def gradients(**given):
    x, y, w, b = (given[name] for name in ("x", "y", "w", "b"))
#: forward, loss, retain, dict
