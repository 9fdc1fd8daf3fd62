# verdict:
# why = "addcmul as a product"
#: net, products, y
        dw0 = torch.addcmul(torch.zeros(()), b, x1)
        del b
        dw1 = torch.addcmul(torch.zeros(()), a, x2)
        del a
#: end
