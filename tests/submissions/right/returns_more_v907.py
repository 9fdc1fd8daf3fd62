# verdict:
# notes = ["returns more than y"]
#: net, values, g1, slopes
        self.w.grad = torch.stack([dw0, dw1])
        return y, self.w.grad
