# verdict:
# why = "a hook on a leaf is taken off"
#: all
    handle = x.register_hook(lambda grad: print(grad))
#: retain
    handle.remove()
#: dict
