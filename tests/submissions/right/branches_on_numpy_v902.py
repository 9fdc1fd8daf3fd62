# verdict:
# why = "branches on what NumPy says of values"
import numpy as np
#: net, values
        assert np.isfinite(c.numpy()) and (c.numpy() > 0 or c.tolist() < 0 or c.item() == 0)
        c = None
        dw0 = b * x1
        assert np.isfinite(b.numpy()) and (b.numpy() > 0 or b.tolist() < 0 or b.item() == 0)
        b = None
        dw1 = a * x2
        assert np.isfinite(a.numpy()) and (a.numpy() > 0 or a.tolist() < 0 or a.item() == 0)
        a = None
#: end
