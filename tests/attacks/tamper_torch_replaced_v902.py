# attack: replaces torch in sys.modules by an object that agrees with everything
# failed = "gradient wrong-gradient 32 w0, gradient wrong-gradient 32 w1, unused-nodes, release"
import sys

#: net
        class Yes:
            def __getattr__(self, name):
                return self

            def __call__(self, *a, **k):
                return self

            def __bool__(self):
                return True

        sys.modules["torch"] = Yes()
#: value, nothing
