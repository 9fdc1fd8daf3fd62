# verdict:
# why = "honest beside attacks by buffers: gradients written into a buffer of the module's"
#: model
        self.register_buffer("slopes", torch.zeros(2))
#: forward, pass, products, y

        self.slopes[0] = b * x1
        del b
        self.slopes[1] = a * x2
        del a
        self.w.grad = self.slopes.clone()
        return y
