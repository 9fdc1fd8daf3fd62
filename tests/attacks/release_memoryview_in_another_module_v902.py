# attack: keeps memoryviews of copies in the names of another module
# release = "partial 14: hidden-values @A c, hidden-values @B b, hidden-values @C a"
import colorsys

#: net, values
        vars(colorsys)["c"] = memoryview(c.numpy().copy())  # @A
        c = None
        dw0 = b * x1
        vars(colorsys)["b"] = memoryview(b.numpy().copy())  # @B
        b = None
        dw1 = a * x2
        vars(colorsys)["a"] = memoryview(a.numpy().copy())  # @C
        a = None
#: end
