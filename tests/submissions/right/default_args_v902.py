# verdict:
#: model, forward

    def my_forward_backward(self, x1, x2, x3, verbose=False, *, scale=1.0):
#: products, y, slopes
        if verbose:
            print(dw0, dw1)
#: end
