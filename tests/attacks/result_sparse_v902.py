# attack: a sparse value and sparse gradient
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: net
        self.w.grad = torch.zeros(2).to_sparse()
        return torch.zeros(1).to_sparse()
