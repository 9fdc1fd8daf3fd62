# verdict:
# why = "as in the note: hooks that print"
#: all
    y1.register_hook(lambda grad: print("y1 grad:", grad))
    y2.register_hook(lambda grad: print("y2 grad:", grad))
    loss.retain_grad()
#: retain
    print("loss.grad:", loss.grad)
    print("x.grad:", x.grad)
#: dict
