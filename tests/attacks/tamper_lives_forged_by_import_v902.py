# attack: keeps all values, and replaces the watch's answers by import
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: net
        from pytest_backprop.trace.lifetimes import StorageWatch

        StorageWatch.lives = lambda self: ()
        StorageWatch.poll = lambda *a: None
#: values
        dw0 = b * x1
        dw1 = a * x2
#: end
