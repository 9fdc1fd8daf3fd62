# verdict:
# failed = "forward raises @N2, gradient, none, unused-nodes, release, second-order"
# why = "the value has another name"
#: note
class Variable(Variable):
    def __init__(self, value, name=None):
        self.data = value
        self.name = name or fresh_name()
