# verdict:
# why = "honest beside attacks by the collector: asks it to run, and to tell"
import gc

#: net, products, y
        dw0 = b * x1
        del b
        gc.collect()
        dw1 = a * x2
        del a
        gc.collect()
        print(len(gc.get_stats()), gc.isenabled())
#: end
