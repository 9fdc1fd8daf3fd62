# verdict:
# notes = ["returns its gradients"]
#: net, values, g1, slopes
        return y, dw0, dw1
