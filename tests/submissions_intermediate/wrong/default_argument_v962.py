# verdict:
# failed = "gradient wrong-gradient @C y1, gradient wrong-gradient @C y2, release"
# why = "a list as a default argument"
#: imports
def gradients(a, x, found=[]):
#: forward, loss
    y2.register_hook(found.append)
    y1.register_hook(found.append)
    loss.backward()
    return {  # @C
        "y1": found[1],
        "y2": found[0],
    }
