# verdict:
import numpy as np
#: net, products, y, slopes
        self.w.grad = torch.from_numpy(np.array([dw0, dw1], dtype=np.float32))
        return y
