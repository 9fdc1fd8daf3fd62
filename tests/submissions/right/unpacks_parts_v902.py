# verdict:
# why = "honest beside attacks by which part is read: unbind, split, chunk"
#: net
        w0, w1 = self.w.unbind()
        pair = torch.stack([w0 * x1, w1 * x2])
        first, second = pair.split(1)
        y = (first * second).reshape(()) + x3
        dw0 = second * x1
        dw1 = first * x2
        del first, second, pair
        self.w.grad = torch.cat([dw0, dw1])
        return y
