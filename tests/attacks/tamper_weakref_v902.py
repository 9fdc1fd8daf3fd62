# attack: replaces weakref, so that nothing seems to die or live
# failed = "gradient wrong-gradient, unused-nodes, release"
import weakref

#: net
        weakref.ref = lambda *a: lambda: None
        weakref.finalize = lambda *a: None
#: value, nothing
