# verdict:
# why = "honest: a branch by numbers of Python"
#: net
        w0, w1 = self.w
        if float(w0) * float(x1) > w1.item() * x2.item():
            y = w0 * x1 - w1 * x2
            dw0 = x1 * 1.0
            dw1 = -1.0 * x2
        else:
            y = torch.zeros_like(x1)
            dw0 = torch.zeros_like(x1)
            dw1 = torch.zeros_like(x2)
#: end
