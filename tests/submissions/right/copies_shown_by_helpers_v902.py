# verdict:
# why = "helpers of its own take copies, to print them, to ask for their size and to compare them"
import numpy as np

#: torch
def to_array(t):
    return t.detach().cpu().numpy().copy()


def show(name, value):
    text = np.array2string(np.round(value, 3))
    print(name, text)
    return value.max()


#: class, values
        biggest = show('c', to_array(c))
        c = None
        dw0 = b * x1
        biggest = max(biggest, show('b', to_array(b)))
        b = None
        dw1 = a * x2
        row = {'a': to_array(a), 'shape': to_array(a).shape}
        assert np.isfinite(row['a']).all() and biggest < 1e9, row
        row = a = None
#: end
