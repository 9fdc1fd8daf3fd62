"""Right passes on tensors by a third author who has not seen the search: steps of simulations,
physics and kernels."""

from tensor_programs import program

EULER = """
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n d"], *,
    W: Float[Tensor, "d h"], b: Float[Tensor, "h"], V: Float[Tensor, "h d"],
):
    z = x
    for _ in range(3):
        z = z + 0.1 * torch.tanh(z @ W + b) @ V
    return ((z - y) ** 2).sum(1).mean()
"""
HEAT = """
SIZES = {"m": (3, 6)}
RANGES = {"logk": ((-2, -1), (-1, 0))}
def v1(
    u0: Float[Tensor, "n m"], goal: Float[Tensor, "n m"], *,
    logk: Float[Tensor, "m"], q: Float[Tensor, "m"],
):
    k = torch.exp(logk)
    u = u0
    for _ in range(2):
        lap = torch.roll(u, 1, 1) + torch.roll(u, -1, 1) - 2 * u
        u = u + 0.2 * (k * lap + q)
    return ((u - goal) ** 2).mean()
"""
SPRING = """
def v1(
    x0: Float[Tensor, "n"], v0: Float[Tensor, "n"], seen: Float[Tensor, "t n"], *,
    k: Float[Tensor, ""], c: Float[Tensor, ""], rest: Float[Tensor, "n"],
):
    x, v, loss = x0, v0, 0
    for t in range(seen.shape[0]):
        v = v + 0.3 * (-k * (x - rest) - c * v)
        x = x + 0.3 * v
        loss = loss + ((x - seen[t]) ** 2).mean()
    return loss
"""
PINN = """
RANGES = {"x": ((-1, 1), (0, 2))}
def v1(
    x: Float[Tensor, "n"], *,
    w: Float[Tensor, "h"], b: Float[Tensor, "h"], v: Float[Tensor, "h"],
):
    a = torch.tanh(x[:, None] * w + b)
    u = a @ v
    du = ((1 - a ** 2) * w) @ v
    u0 = torch.tanh(b) @ v
    return ((du + 2 * u) ** 2).mean() + (u0 - 1) ** 2
"""
AUTOREGRESSION = """
SIZES = {"t": (5, 7)}
def v1(
    s: Float[Tensor, "t k"], *,
    A1: Float[Tensor, "k k"], A2: Float[Tensor, "k k"], c: Float[Tensor, "k"],
    logvar: Float[Tensor, "k"],
):
    e = s[2:] - s[1:-1] @ A1 - s[:-2] @ A2 - c
    return (0.5 * (e ** 2 * torch.exp(-logvar) + logvar)).sum() / e.shape[0]
"""
PREY = """
RANGES = {"theta": ((-1, 0.5), (0, 1)), "u0": ((0.5, 2), (0.2, 1)), "v0": ((0.2, 1), (0.5, 2))}
def v1(
    u0: Float[Tensor, "n"], v0: Float[Tensor, "n"], data: Float[Tensor, "3 2 n"], *,
    theta: Float[Tensor, "4"],
):
    a, b, c, d = torch.exp(theta)
    u, v, loss = u0, v0, 0
    for k in range(3):
        u, v = u + 0.1 * (a * u - b * u * v), v + 0.1 * (d * u * v - c * v)
        loss = loss + ((u - data[k, 0]) ** 2 + (v - data[k, 1]) ** 2).mean()
    return loss
"""
KERNEL = """
RANGES = {"logg": ((-1, 0), (0, 1))}
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n"], *,
    alpha: Float[Tensor, "n"], logg: Float[Tensor, ""],
):
    d2 = ((x[:, None] - x[None]) ** 2).sum(2)
    K = torch.exp(-torch.exp(logg) * d2)
    return ((K @ alpha - y) ** 2).sum() + 0.1 * alpha @ K @ alpha
"""
CHARGES = """
def v1(
    x: Float[Tensor, "n d"], q: Float[Tensor, "n"], E: Float[Tensor, "n"], *,
    site: Float[Tensor, "m d"], charge: Float[Tensor, "m"],
):
    r = torch.sqrt(((x[:, None] - site[None]) ** 2).sum(2) + 0.5)
    return ((q * ((1 / r) @ charge) - E) ** 2).mean()
"""
SIMULATIONS = (
    program(
        "steps of euler",
        EULER,
        """
        dt, steps = 0.1, 3
        states, acts = [x], []
        for _ in range(steps):
            a = torch.tanh(states[-1] @ self.W + self.b)
            acts.append(a)
            states.append(states[-1] + dt * a @ self.V)
        err = states[-1] - y
        loss = (err * err).sum(1).mean()
        adj = 2 * err / x.shape[0]
        gW = gb = gV = 0
        for k in range(steps - 1, -1, -1):
            gV = gV + dt * acts[k].T @ adj
            pre = dt * adj @ self.V.T * (1 - acts[k] ** 2)
            gW = gW + states[k].T @ pre
            gb = gb + pre.sum(0)
            adj = adj + pre @ self.W.T
        self.W.grad = gW
        self.b.grad = gb
        self.V.grad = gV
        return loss
    """,
    ),
    program(
        "heat on a ring",
        HEAT,
        """
        dt = 0.2
        k = torch.exp(self.logk)
        lap0 = torch.roll(u0, 1, dims=1) + torch.roll(u0, -1, dims=1) - 2 * u0
        u1 = u0 + dt * (k * lap0 + self.q)
        lap1 = torch.roll(u1, 1, dims=1) + torch.roll(u1, -1, dims=1) - 2 * u1
        u2 = u1 + dt * (k * lap1 + self.q)
        miss = u2 - goal
        loss = (miss ** 2).mean()
        del u2
        g2 = 2 * miss / miss.numel()
        del miss
        dk = dt * (g2 * lap1).sum(0)
        del lap1
        dq = dt * g2.sum(0)
        dlap1 = dt * g2 * k
        g1 = g2 + torch.roll(dlap1, -1, dims=1) + torch.roll(dlap1, 1, dims=1) - 2 * dlap1
        del g2, dlap1
        dk += dt * (g1 * lap0).sum(0)
        del lap0
        dq += dt * g1.sum(0)
        self.q.grad = dq
        self.logk.grad = dk * k
        return loss
    """,
    ),
    program(
        "springs",
        SPRING,
        """
        T, n = seen.shape
        dt = 0.3
        xs, vs = [x0], [v0]
        loss = 0
        for t in range(T):
            force = -self.k * (xs[t] - self.rest) - self.c * vs[t]
            vs.append(vs[t] + dt * force)
            xs.append(xs[t] + dt * vs[t + 1])
            loss = loss + (xs[t + 1] - seen[t]).square().mean()
        dx, dv = torch.zeros(n), torch.zeros(n)
        dk, dc, drest = torch.zeros(()), torch.zeros(()), torch.zeros(n)
        for t in reversed(range(T)):
            dx = dx + 2 * (xs[t + 1] - seen[t]) / n
            dv = dv + dt * dx
            dforce = dt * dv
            dk = dk - (dforce * (xs[t] - self.rest)).sum()
            dc = dc - (dforce * vs[t]).sum()
            drest = drest + self.k * dforce
            dx = dx - self.k * dforce
            dv = dv - self.c * dforce
        self.k.grad = dk
        self.c.grad = dc
        self.rest.grad = drest
        return loss
    """,
    ),
    program(
        "residual of a differential equation",
        PINN,
        """
        n = x.shape[0]
        a = torch.tanh(torch.outer(x, self.w) + self.b)
        slope = 1 - a * a
        u = a @ self.v
        ux = (slope * self.w) @ self.v
        a0 = torch.tanh(self.b)
        u0 = a0 @ self.v
        res = ux + 2 * u
        loss = (res ** 2).mean() + (u0 - 1) ** 2
        # residual
        gres = 2 * res / n
        gux, gu = gres, 2 * gres
        gv = a.T @ gu + (slope * self.w).T @ gux
        gslope = torch.outer(gux, self.w * self.v)
        ga = torch.outer(gu, self.v) - 2 * a * gslope
        gpre = ga * slope
        gw = (gux[:, None] * slope).sum(0) * self.v + x @ gpre
        gb = gpre.sum(0)
        # start
        gu0 = 2 * (u0 - 1)
        gv += gu0 * a0
        gb += gu0 * self.v * (1 - a0 ** 2)
        self.w.grad, self.b.grad, self.v.grad = gw, gb, gv
        return loss
    """,
    ),
    program(
        "two lags with variances",
        AUTOREGRESSION,
        """
        now, lag1, lag2 = s[2:], s[1:-1], s[:-2]
        m = now.shape[0]
        fit = lag1 @ self.A1 + lag2 @ self.A2 + self.c
        err = now - fit
        precision = torch.exp(-self.logvar)
        weighted = err * precision
        nll = 0.5 * (err * weighted + self.logvar).sum() / m
        dfit = -weighted / m
        self.A1.grad = lag1.T @ dfit
        self.A2.grad = lag2.T @ dfit
        self.c.grad = dfit.sum(0)
        dlogvar = 0.5 * (1 - (err * weighted).mean(0))
        self.logvar.grad = dlogvar
        return nll
    """,
    ),
    program(
        "predators and prey",
        PREY,
        """
        n = u0.shape[0]
        h = 0.1
        a, b, c, d = torch.exp(self.theta).unbind(0)
        us, vs = [u0], [v0]
        loss = 0
        for k in range(3):
            u, v = us[k], vs[k]
            us.append(u + h * (a * u - b * u * v))
            vs.append(v + h * (d * u * v - c * v))
            loss = loss + ((us[-1] - data[k, 0]) ** 2).mean()
            loss = loss + ((vs[-1] - data[k, 1]) ** 2).mean()
        du, dv = torch.zeros(n), torch.zeros(n)
        da = db = dc = dd = 0.0
        for k in (2, 1, 0):
            u, v = us[k], vs[k]
            du = du + 2 * (us[k + 1] - data[k, 0]) / n
            dv = dv + 2 * (vs[k + 1] - data[k, 1]) / n
            da = da + h * (du * u).sum()
            db = db - h * (du * u * v).sum()
            dc = dc - h * (dv * v).sum()
            dd = dd + h * (dv * u * v).sum()
            du_prev = du + h * (du * (a - b * v) + dv * d * v)
            dv_prev = dv + h * (dv * (d * u - c) - du * b * u)
            du, dv = du_prev, dv_prev
        self.theta.grad = torch.stack([da * a, db * b, dc * c, dd * d])
        return loss
    """,
    ),
    program(
        "kernel ridge with a width",
        KERNEL,
        """
        sq = (x * x).sum(1)
        d2 = sq[:, None] + sq[None, :] - 2 * x @ x.T
        gamma = self.logg.exp()
        K = torch.exp(-gamma * d2)
        f = K @ self.alpha
        r = f - y
        loss = r @ r + 0.1 * self.alpha @ f
        dr = 2 * r
        df = dr + 0.1 * self.alpha
        del r, dr
        dalpha = K.T @ df + 0.1 * f
        del f
        dK = torch.outer(df, self.alpha)
        del df
        dexpo = dK * K
        del dK, K
        dgamma = -(dexpo * d2).sum()
        del dexpo, d2
        self.alpha.grad = dalpha
        self.logg.grad = dgamma * gamma
        return loss
    """,
    ),
    program(
        "field of charges",
        CHARGES,
        """
        n, d = x.shape
        m = self.charge.shape[0]
        diff = x.unsqueeze(1) - self.site.unsqueeze(0)
        r2 = (diff ** 2).sum(-1) + 0.5
        inv = r2 ** -0.5
        pot = inv @ self.charge
        off = q * pot - E
        loss = (off ** 2).mean()
        d_pot = 2 * off * q / n
        del r2, pot, off
        self.charge.grad = inv.T @ d_pot
        d_inv = d_pot.unsqueeze(1) * self.charge.unsqueeze(0)
        d_r2 = d_inv * -0.5 * inv ** 3
        del d_pot, inv, d_inv
        d_site = torch.zeros(m, d)
        for j in range(m):
            for i in range(n):
                d_site[j] -= 2 * d_r2[i, j] * diff[i, j]
        self.site.grad = d_site
        return loss
    """,
    ),
)
