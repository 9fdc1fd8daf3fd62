# attack: replaces inspect.signature and linecache
# failed = "gradient wrong-gradient, unused-nodes, release"
import inspect
import linecache

#: net
        inspect.signature = lambda f: None
        linecache.cache.clear()
        linecache.getline = lambda *a, **k: 'self.w.grad = right()'
#: value, nothing
