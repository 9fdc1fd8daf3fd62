import torch


def deep_net(params, X, y):
    # every layer leaves a function on the stack that knows how to go back
    grads = {}
    stack = []

    def affine(A, l):
        W, b = params[f"W{l}"], params[f"b{l}"]

        def back(dZ):
            grads[f"dW{l}"] = torch.einsum("ni,nj->ij", A, dZ)
            grads[f"db{l}"] = torch.einsum("nj->j", dZ)
            if l > 1:  # nobody asks for dX
                return torch.einsum("nj,ij->ni", dZ, W)

        stack.append(back)
        return torch.addmm(b, A, W)

    def tanh(Z):
        A = Z.tanh()
        stack.append(lambda dA: dA - dA * A * A)
        return A

    def cross_entropy(S):
        m = S.shape[0]
        S = S - S.amax(dim=1, keepdim=True)
        E = S.exp()
        total = E.sum(dim=1)
        rows = torch.arange(m)

        def back(dJ):
            dS = E / total[:, None]
            dS[rows, y] -= 1
            return dS * (dJ / m)

        stack.append(back)
        return (total.log() - S[rows, y]).sum() / m

    L = len(params) // 2
    out = X
    for l in range(1, L):
        out = tanh(affine(out, l))
    loss = cross_entropy(affine(out, L))

    d = 1.0
    while stack:
        d = stack.pop()(d)
    return loss, grads
