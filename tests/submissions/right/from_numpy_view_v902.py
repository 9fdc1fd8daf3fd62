# verdict:
# why = "honest beside attacks by numpy's views: numbers out to numpy and back"
import numpy as np

#: net, products, y, slopes
        array = np.empty(2, dtype=np.float32)
        array[0] = dw0.numpy()
        array[1] = dw1.numpy()
        del dw0, dw1
        self.w.grad = torch.from_numpy(array)
        return y
