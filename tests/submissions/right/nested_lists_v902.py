# verdict:
# why = "honest beside an attack by lists that are deep: nothing that torch takes is forged"
#: net, products, y

#: slopes
        self.w.grad = torch.tensor([[[[[[[[[dw0, dw1]]]]]]]]]).reshape(2)
        return y
