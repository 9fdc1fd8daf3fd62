# attack: a nested tensor
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: net
        self.w.grad = torch.zeros(2)
        return torch.nested.nested_tensor([torch.zeros(1), torch.zeros(2)])
