# verdict:
# why = "the rules written as dot products"
#: net, products, y
        dw0 = torch.dot(torch.stack([b]), torch.stack([x1]))
        del b
        dw1 = torch.dot(torch.stack([a]), torch.stack([x2]))
        del a
#: end
