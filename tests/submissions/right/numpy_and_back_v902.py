# verdict:
import numpy as np
#: model, bracketed, values_dropped
        dw0 = b * x1
        b = None
        dw1 = a * x2
        a = None
        self.w.grad = torch.from_numpy(np.array([dw0.item(), dw1.item()], dtype=np.float32))
        return y
