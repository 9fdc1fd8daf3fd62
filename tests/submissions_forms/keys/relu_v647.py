def relu(x):
    return x.clamp_min(0.)


def relu_grad(inp, out):
    # grad of relu with respect to input activations
    inp.g = (inp > 0).float() * out.g
