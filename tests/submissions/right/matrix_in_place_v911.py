# verdict:
#: head
        pred = torch.empty_like(y)
        torch.mm(x, self.w, out=pred)
        pred.add_(self.b).sub_(y)
        loss = torch.dot(pred.flatten(), pred.flatten()) / pred.numel()
        pred.mul_(2).div_(pred.numel())
        self.w.grad = x.T.mm(pred)
        self.b.grad = pred.sum(dim=(0, 1)).view_as(self.b)
        return loss
