import torch


def sigmoid(z):
    return 1.0 / (1.0 + torch.exp(-z))


def lstm_step_forward(x, prev_h, prev_c, Wx, Wh, b):
    A = torch.matmul(x, Wx)
    A += torch.matmul(prev_h, Wh)
    A += b
    ai, af, ao, ag = torch.chunk(A, 4, dim=1)

    gates = {}
    gates["in"] = sigmoid(ai)
    gates["forget"] = sigmoid(af)
    gates["out"] = sigmoid(ao)
    gates["cand"] = torch.tanh(ag)

    next_c = gates["in"] * gates["cand"] + gates["forget"] * prev_c
    next_h = torch.tanh(next_c) * gates["out"]
    cache = {"x": x, "h": prev_h, "c": prev_c, "Wx": Wx, "Wh": Wh, "gates": gates, "next_c": next_c}
    return next_h, next_c, cache


def lstm_step_backward(dnext_h, dnext_c, cache):
    gates = cache["gates"]
    i, f, o, g = gates["in"], gates["forget"], gates["out"], gates["cand"]
    N, H = dnext_h.shape

    # next_h = o * tanh(next_c): the cell gets a gradient from both outputs
    tanh_c = torch.tanh(cache["next_c"])
    dtanh_c = dnext_h * o
    dcell = dnext_c.clone()
    dcell += dtanh_c * (1 - tanh_c * tanh_c)

    dA = torch.zeros((N, 4 * H), dtype=dnext_h.dtype, device=dnext_h.device)
    dA[:, 0:H] = (dcell * g) * (i * (1 - i))
    dA[:, H:2 * H] = (dcell * cache["c"]) * (f * (1 - f))
    dA[:, 2 * H:3 * H] = (dnext_h * tanh_c) * (o * (1 - o))
    dA[:, 3 * H:4 * H] = (dcell * i) * (1 - g ** 2)

    dprev_c = f * dcell
    db = torch.sum(dA, dim=0)
    dWh = torch.matmul(cache["h"].T, dA)
    dWx = torch.matmul(cache["x"].T, dA)
    dprev_h = torch.matmul(dA, cache["Wh"].T)
    dx = torch.matmul(dA, cache["Wx"].T)
    return dx, dprev_h, dprev_c, dWx, dWh, db
