# attack: keeps memoryviews of copies in the names of another module
# release = "partial 14: hidden-values @A c"
import colorsys

#: net, values
        vars(colorsys)["c"] = memoryview(c.numpy().copy())  # @A
        c = None
        dw0 = b * x1
        vars(colorsys)["b"] = memoryview(b.numpy().copy())
        b = None
        dw1 = a * x2
        vars(colorsys)["a"] = memoryview(a.numpy().copy())
        a = None
#: end
