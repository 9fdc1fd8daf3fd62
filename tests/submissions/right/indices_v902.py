# verdict:
# why = "honest beside attacks by indices: reads and writes of elements at positions that are worked out"
#: net
        w = self.w
        factors = torch.stack([x1, x2])
        parts = w * factors
        y = parts[0] * parts[1] + x3
        grads = torch.zeros(2)
        for place in range(2):
            other = 1 - place
            grads[place] = parts.index_select(0, torch.tensor([other]))[0] * factors[place : place + 1].sum()
        self.w.grad = grads
        return y
