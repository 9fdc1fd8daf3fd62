# verdict:
# failed = "forward raises @F"
#: model

    def forward(self, x1, x2, x3):
        raise NotImplementedError  # @F
#: pass, honest
