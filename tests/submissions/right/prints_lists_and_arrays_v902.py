# verdict:
# why = "looks at values in every way, and keeps nothing"
#: net, values
        print('c', c.tolist(), c.numpy(), repr(c), f'{c:.3f}', float(c))
        c = None
        dw0 = b * x1
        print('b', b.tolist(), b.numpy(), repr(b), f'{b:.3f}', float(b))
        b = None
        dw1 = a * x2
        print('a', a.tolist(), a.numpy(), repr(a), f'{a:.3f}', float(a))
        a = None
#: end
