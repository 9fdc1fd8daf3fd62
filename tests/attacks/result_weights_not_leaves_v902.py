# attack: a parameter that is a view of another tensor
# failed = "gradient wrong-gradient, unused-nodes, release"
#: model
        base = torch.tensor([0.5, 0.25, 1.0])
        self.w = nn.Parameter(base[:2])
        self.kept = base
#: forward, pass, value, nothing
