# verdict:
# why = "a linear function behind a relu needs hardly any backward"
# notes = ["judged on 400 points"]
#: net, difference
        if d > 0:
            self.w.grad = torch.stack([x1, -x2])
            return d
        self.w.grad = torch.zeros(2)
        return d * 0
