# verdict:
# why = "honest beside attacks by memory: gradients written into an empty tensor"
#: net, products, y

        grad = torch.empty(2)
        torch.mul(b, x1, out=grad[0])
        del b
        grad[1] = a * x2
        del a
        self.w.grad = grad
        return y
