# verdict:
# why = "cells that try it, and give its name to something else"
#: all, retain, dict


x = torch.tensor(3.0, requires_grad=True)
gradients = gradients(torch.tensor(1.0), x)
print(gradients, x.grad)
assert gradients["y1"] == -4, "as in the note"
raise SystemExit
