# attack: replaces its own forward while it runs
# failed = "forward wrong-value, gradient wrong-gradient, unused-nodes, release"
#: net
        type(self).forward = lambda self, *x: torch.zeros(())
#: value, nothing
