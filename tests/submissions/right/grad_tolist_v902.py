# verdict:
# why = "the gradients leave as lists and come back"
#: net, values
        c = None
        dw0 = b * x1
        b = None
        dw1 = a * x2
        a = None
        self.w.grad = torch.tensor([dw0.tolist(), dw1.tolist()])
        return y
