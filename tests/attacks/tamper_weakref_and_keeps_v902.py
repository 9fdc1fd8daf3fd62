# attack: weak references that say all is dead, and values that are kept
# release = "partial 14: late-release"
import sys
import weakref

#: net
        weakref.ref = lambda *a: lambda: None
        sys.modules["_weakref"].ref = weakref.ref
#: values
        dw0 = b * x1
        dw1 = a * x2
#: end
