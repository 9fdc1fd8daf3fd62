# verdict:
# why = "an argument more, with a default"
#: imports
def gradients(x, y, w, v, verbose=False):
#: forward, loss, retain
    if verbose:
        print(loss)
#: dict
