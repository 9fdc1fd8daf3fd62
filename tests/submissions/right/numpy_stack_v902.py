# verdict:
# why = "the gradients go through NumPy; nothing is kept"
import numpy as np
#: net, values
        c = None
        dw0 = b * x1
        b = None
        dw1 = a * x2
        a = None
        self.w.grad = torch.from_numpy(np.stack([dw0.numpy(), dw1.numpy()]))
        return y
