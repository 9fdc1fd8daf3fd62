# verdict:
import gc
#: net, products, y
        dw0 = b * x1
        del b
        gc.collect()
        dw1 = a * x2
        del a
#: end
