# verdict:
# why = "honest beside attacks by branches: each gradient worked out one way or another by the sign of a value"
#: net, products, y
        if b.item() > 0:
            dw0 = b * x1
        else:
            dw0 = -(b.abs() * x1)
        del b
        dw1 = a * x2 if a > 0 else -(a.abs() * x2)
        del a
#: end
