# verdict:
# why = "takes inputs and weights to NumPy, and keeps them"
#: model
        self.seen = []
#: forward, pass
        self.seen.append((x1.numpy().copy(), x2.tolist(), self.w.detach().numpy().copy()))
#: values
        c = None
        dw0 = b * x1
        b = None
        dw1 = a * x2
        a = None
#: end
