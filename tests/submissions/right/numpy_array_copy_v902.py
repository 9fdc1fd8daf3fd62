# verdict:
# why = "the gradients go through NumPy; nothing is kept"
import numpy as np
#: net, values
        c = None
        dw0 = b * x1
        b = None
        dw1 = a * x2
        a = None
        self.w.grad = torch.tensor(np.array([dw0.numpy().copy(), dw1.numpy()]))
        return y
