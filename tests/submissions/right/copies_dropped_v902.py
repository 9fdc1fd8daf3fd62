# verdict:
# why = "takes copies and drops them again"
import io

#: net, values
        copies = [c.numpy(), c.tolist()]
        del copies
        c = None
        dw0 = b * x1
        copies = [b.numpy(), b.tolist()]
        del copies
        b = None
        dw1 = a * x2
        copies = [a.numpy(), a.tolist()]
        del copies
        a = None
#: end
