# verdict:
# unused-nodes = "partial 13.5: unused-node @A self.grad"
# why = "a tensor of zeros for each Variable, with which nothing starts"
#: note
class Variable(Variable):
    def __init__(self, value, name=None):
        self.value = value
        self.name = name or fresh_name()
        self.grad = torch.zeros_like(value)  # @A
