# attack: an importer of its own first in sys.meta_path
# failed = "gradient wrong-gradient, unused-nodes, release"
import sys

#: net
        class Mine:
            def find_spec(self, name, path=None, target=None):
                raise ImportError(name)

        sys.meta_path.insert(0, Mine())
        sys.path_hooks.clear()
#: value, nothing
