# verdict:
#: net, values, g1, slopes
        self.w.grad = torch.tensor([dw0.item(), dw1.item()])
        return y
