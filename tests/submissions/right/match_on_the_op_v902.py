# verdict:
#: torch

PROGRAM = [
    ('a', 'mul', 'w0', 'x1', []),
    ('b', 'mul', 'w1', 'x2', []),
    ('p', 'mul', 'a', 'b', []),
    ('y', 'add', 'p', 'x3', ['p']),
    ('dw0', 'mul', 'b', 'x1', ['b']),
    ('dw1', 'mul', 'a', 'x2', ['a']),
]
#: weights, bracketed
        v = {'w0': self.w[0], 'w1': self.w[1], 'x1': x1, 'x2': x2, 'x3': x3}
        for out, op, a, b, gone in PROGRAM:
            match op:
                case 'mul':
                    v[out] = v[a] * v[b]
                case 'add':
                    v[out] = v[a] + v[b]
            for name in gone:
                v.pop(name)
        self.w.grad = torch.stack([v['dw0'], v['dw1']])
        return v['y']
