# verdict:
#: head
        classes = self.b.numel()
        target = torch.eye(classes)[y]
        s = x.matmul(self.w).add(self.b)
        loss = (s.logsumexp(1) - (s * target).sum(1)).mean()
        g = s.softmax(1).sub(target).div(x.size(0))
        s = target = None
        self.w.grad = x.T.matmul(g)
        self.b.grad = torch.ones(x.size(0)) @ g
        return loss
