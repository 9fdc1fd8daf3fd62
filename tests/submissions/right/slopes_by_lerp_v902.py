# verdict:
# why = "lerp from zero is a product"
#: net, products, y
        dw0 = torch.lerp(torch.zeros(()), b, x1)
        del b
        dw1 = torch.lerp(torch.zeros(()), a, x2)
        del a
#: end
