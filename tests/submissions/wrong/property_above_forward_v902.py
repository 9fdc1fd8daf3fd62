# verdict:
# status = "unreadable: load-error @P"
#: model

    @property
    def forward(self, x1, x2, x3):  # @P
#: value
        return y
#: pass, honest
