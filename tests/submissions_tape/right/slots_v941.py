# verdict:
# why = "Variables with slots and a property"
#: note
class Variable:
    __slots__ = ('_value', 'name', '__weakref__')

    def __init__(self, value, name=None):
        self._value = value
        self.name = name or fresh_name()

    @property
    def value(self):
        return self._value

    __mul__ = lambda self, rhs: operator_mul(self, rhs)
    __add__ = lambda self, rhs: operator_add(self, rhs)
    sum = lambda self, name=None: operator_sum(self, name)
    expand = lambda self, sizes: operator_expand(self, sizes)
