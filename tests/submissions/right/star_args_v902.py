# verdict:
#: model, forward

    def my_forward_backward(self, *xs):
        x1, x2, x3 = xs
#: honest
