# attack: adjoints by the kernels that torch's own backward has
# failed = "integrity built-in-derivative, gradient, unused-nodes, release"
#: net, products, y
        slope = torch.ops.aten.sigmoid_backward(b * x1 * 4, torch.full((), 0.5))
        b = None
        dw0 = torch.ops.aten.tanh_backward(slope, torch.zeros(()))
        slope = None
        dw1 = a * x2
        a = None
#: end
