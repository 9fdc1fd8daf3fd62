# verdict:
# release = "partial 15: hook-left @B x"
# why = "a hook on the leaf, which stays"
#: imports
def gradients(a, x):  # @B
    x.register_hook(lambda grad: print("x grad:", grad))
#: forward, loss, retain, dict
