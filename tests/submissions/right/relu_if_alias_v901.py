# verdict:
# why = "both gradients are inputs as they are: the backward needs no op"
# notes = ["judged on 400 points"]
#: net, product
        if a > 0:
            y = a + w1 * x2
            del a
            dw0 = x1
        else:
            del a
            y = w1 * x2
            dw0 = torch.tensor(0.0)
        self.w.grad = torch.stack([dw0, x2])
        return y
