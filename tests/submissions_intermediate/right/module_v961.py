# verdict:
# why = "a module that keeps its intermediates, made anew in each call"
#: imports
class Net(torch.nn.Module):
    def __init__(self, w, v):
        super().__init__()
        self.w = w
        self.v = v

    def forward(self, x):
        self.hidden = torch.tanh(x @ self.w)
        self.hidden.retain_grad()
        self.logits = self.hidden @ self.v
        self.logits.retain_grad()
        return self.logits


def gradients(x, y, w, v):
    net = Net(w, v)
    torch.nn.CrossEntropyLoss()(net(x), y).backward()
    return {"hidden": net.hidden.grad, "logits": net.logits.grad}
