# attack: recursion without end
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: net
        return self.my_forward_backward(x1, x2, x3)
