# attack: lists in lists in lists
# failed = "manual-forward wrong-type, gradient wrong-gradient, unused-nodes, release"
#: net
        self.w.grad = torch.zeros(2)
        deep = []
        for _ in range(10**5):
            deep = [deep]
        return deep
