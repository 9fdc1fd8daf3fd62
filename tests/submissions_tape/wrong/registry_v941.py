# verdict:
# failed = "release kept @N15 a, release kept @N2, release kept @N4, release kept @N16"
# why = "every Variable by its name, on the class"
#: note
class Variable(Variable):
    known = {}

    def __init__(self, value, name=None):
        self.value = value
        self.name = name or fresh_name()
        Variable.known[self.name] = self
