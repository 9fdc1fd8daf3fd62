# verdict:
#: head
        design = torch.cat([x, torch.ones(x.shape[0], 1)], dim=1)
        off = design @ torch.cat([self.w, self.b]) - y
        loss = off.square().mean()
        grad = design.T @ (off * (2 / off.numel()))
        design = off = None
        self.w.grad, self.b.grad = grad[:2], grad[2:]
        return loss
