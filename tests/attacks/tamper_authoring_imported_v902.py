# attack: has the instructors' package derive the answer, and runs that
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: net
        from pytest_backprop_authoring.answers.derivation import derive

        derive(None)
#: values
        dw0 = b * x1
        dw1 = a * x2
#: end
