# verdict:
# notes = ["returns its gradients"]
#: net, values, g1, slopes
        return y, torch.stack([dw0, dw1])
