# attack: a module with a million parameters to look through
# failed = "gradient wrong-gradient, unused-nodes, release"
#: model
        self.more = nn.ParameterList([nn.Parameter(torch.zeros(1)) for _ in range(3000)])
#: forward, pass, value, nothing
