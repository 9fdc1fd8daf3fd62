# verdict:
# why = "a registry that holds nothing"
#: note
import weakref


class Variable(Variable):
    known = weakref.WeakValueDictionary()

    def __init__(self, value, name=None):
        self.value = value
        self.name = name or fresh_name()
        Variable.known[self.name] = self
