"""Right passes on tensors by a third author who has not seen the search: latent variables, rewards
and densities."""

from tensor_programs import program

BAYES = """
RANGES = {"rho": ((-2, 0), (-1, 1))}
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n"], eps: Float[Tensor, "d"], *,
    mu: Float[Tensor, "d"], rho: Float[Tensor, "d"],
):
    sigma = F.softplus(rho)
    w = mu + sigma * eps
    kl = (-torch.log(sigma) + 0.5 * (sigma ** 2 + mu ** 2) - 0.5).sum()
    return 0.5 * ((x @ w - y) ** 2).sum() + kl
"""
PRIOR = """
def v1(
    x: Float[Tensor, "n d"], eps: Float[Tensor, "n k"], *,
    We: Float[Tensor, "d 2*k"], Wd: Float[Tensor, "k d"], m: Float[Tensor, "k"],
    s: Float[Tensor, "k"],
):
    mu, logvar = (x @ We).chunk(2, 1)
    z = mu + torch.exp(0.5 * logvar) * eps
    kl = 0.5 * (s - logvar + (torch.exp(logvar) + (mu - m) ** 2) / torch.exp(s) - 1)
    return ((torch.tanh(z) @ Wd - x) ** 2).sum(1).mean() + 0.2 * kl.sum(1).mean()
"""
DENSITY = """
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n"], *,
    Wp: Float[Tensor, "d k"], Wm: Float[Tensor, "d k"], Ws: Float[Tensor, "d k"],
):
    logs = torch.tanh(x @ Ws)
    u = (y[:, None] - x @ Wm) / torch.exp(logs)
    return -torch.logsumexp(torch.log_softmax(x @ Wp, 1) - logs - 0.5 * u ** 2, 1).mean()
"""
GUMBEL = """
def v1(
    x: Float[Tensor, "n d"], g: Float[Tensor, "n k"], y: Float[Tensor, "n o"], *,
    W: Float[Tensor, "d k"], code: Float[Tensor, "k o"], logt: Float[Tensor, ""],
):
    q = torch.softmax((x @ W + g) / torch.exp(logt), 1)
    return ((q @ code - y) ** 2).mean()
"""
REINFORCE = """
BELOW = {"a": "k"}
def v1(
    s: Float[Tensor, "n d"], a: Int[Tensor, "n"], ret: Float[Tensor, "n"], *,
    W1: Float[Tensor, "d h"], W2: Float[Tensor, "h k"],
):
    logp = torch.log_softmax(torch.relu(s @ W1) @ W2, 1)
    adv = ret - ret.mean()
    chosen = logp.gather(1, a[:, None]).squeeze(1)
    return -(adv * chosen).mean() + 0.1 * (logp.exp() * logp).sum(1).mean()
"""
QLEARN = """
BELOW = {"a": "k", "done": 2}
def v1(
    s: Float[Tensor, "n d"], a: Int[Tensor, "n"], r: Float[Tensor, "n"],
    best: Float[Tensor, "n"], done: Int[Tensor, "n"], *,
    W1: Float[Tensor, "d h"], Wv: Float[Tensor, "h"], Wa: Float[Tensor, "h k"],
):
    h = torch.tanh(s @ W1)
    adv = h @ Wa
    q = (h @ Wv)[:, None] + adv - adv.mean(1, keepdim=True)
    target = r + 0.9 * (1 - done.to(r.dtype)) * best
    return F.huber_loss(q[torch.arange(s.shape[0]), a], target)
"""
PREFERENCE = """
BELOW = {"win": "v", "lose": "v"}
def v1(
    x: Float[Tensor, "n d"], win: Int[Tensor, "n"], lose: Int[Tensor, "n"],
    ref: Float[Tensor, "n v"], *,
    W: Float[Tensor, "d v"], b: Float[Tensor, "v"],
):
    gain = torch.log_softmax(x @ W + b, 1) - torch.log_softmax(ref, 1)
    i = torch.arange(x.shape[0])
    return -F.logsigmoid(0.7 * (gain[i, win] - gain[i, lose])).mean() + 0.1 * gain[i, win].mean()
"""
DIFFUSION = """
BELOW = {"t": "s"}
def v1(
    x0: Float[Tensor, "n d"], eps: Float[Tensor, "n d"], t: Int[Tensor, "n"], *,
    time: Float[Tensor, "s h"], W1: Float[Tensor, "d h"], W2: Float[Tensor, "h d"],
):
    ab = (0.9 ** (t + 1).to(x0.dtype))[:, None]
    xt = torch.sqrt(ab) * x0 + torch.sqrt(1 - ab) * eps
    h = xt @ W1 + time[t]
    return (((h * torch.sigmoid(h)) @ W2 - eps) ** 2).mean()
"""
CONTINUOUS = """
def v1(
    s: Float[Tensor, "n d"], act: Float[Tensor, "n m"], adv: Float[Tensor, "n"],
    old: Float[Tensor, "n"], *, W: Float[Tensor, "d m"], logstd: Float[Tensor, "m"],
):
    u = (act - torch.tanh(s @ W)) / torch.exp(logstd)
    logp = (-0.5 * u ** 2 - logstd).sum(1)
    return -(torch.sigmoid(logp - old) * adv).mean() - 0.01 * logstd.sum()
"""
LATENTS = (
    program(
        "bayes by backprop",
        BAYES,
        """
        n = x.shape[0]
        sigma = torch.log1p(torch.exp(self.rho))
        w = self.mu + sigma * eps
        err = x @ w - y
        nll = 0.5 * (err ** 2).sum()
        kl = (0.5 * (sigma ** 2 + self.mu ** 2) - 0.5 - torch.log(sigma)).sum()
        loss = nll + kl
        # through the sampled weights
        grad_w = x.T @ err
        grad_mu = grad_w.clone()
        grad_sigma = grad_w * eps
        # through the divergence
        grad_mu += self.mu
        grad_sigma += sigma - 1 / sigma
        self.mu.grad = grad_mu
        self.rho.grad = grad_sigma * torch.sigmoid(self.rho)
        return loss
    """,
    ),
    program(
        "autoencoder with a learned prior",
        PRIOR,
        """
        n, k = eps.shape
        stats = x @ self.We
        mu, logvar = stats[:, :k], stats[:, k:]
        std = torch.exp(logvar / 2)
        z = mu + std * eps
        t = torch.tanh(z)
        diff = t @ self.Wd - x
        rec = diff.pow(2).sum() / n
        pv = torch.exp(self.s)
        off = mu - self.m
        kl = 0.5 * (self.s - logvar + (std ** 2 + off ** 2) / pv - 1).sum() / n
        loss = rec + 0.2 * kl
        beta = 0.2 / n
        d_diff = 2 * diff / n
        self.Wd.grad = t.T @ d_diff
        d_z = (d_diff @ self.Wd.T) * (1 - t * t)
        d_off = beta * off / pv
        d_mu = d_z + d_off
        d_logvar = 0.5 * d_z * eps * std + 0.5 * beta * (std ** 2 / pv - 1)
        self.m.grad = -d_off.sum(0)
        self.s.grad = 0.5 * beta * (1 - (std ** 2 + off ** 2) / pv).sum(0)
        self.We.grad = x.T @ torch.cat([d_mu, d_logvar], dim=1)
        return loss
    """,
    ),
    program(
        "net of a mixture",
        DENSITY,
        """
        n, d = x.shape
        logits = x @ self.Wp
        means = x @ self.Wm
        logs = torch.tanh(x @ self.Ws)
        inv = torch.exp(-logs)
        u = (y.unsqueeze(1) - means) * inv
        del means
        logpi = logits - torch.logsumexp(logits, dim=1, keepdim=True)
        del logits
        joint = logpi - logs - 0.5 * u ** 2
        total = torch.logsumexp(joint, dim=1, keepdim=True)
        loss = -total.mean()
        resp = torch.exp(joint - total)
        del joint, total
        dlogits = (torch.exp(logpi) - resp) / n
        del logpi
        dmeans = -resp * u * inv / n
        del inv
        dlogs = resp * (1 - u ** 2) / n
        del u, resp
        self.Wp.grad = x.T @ dlogits
        del dlogits
        self.Wm.grad = x.T @ dmeans
        del dmeans
        self.Ws.grad = x.T @ (dlogs * (1 - logs ** 2))
        return loss
    """,
    ),
    program(
        "gumbel softmax over codes",
        GUMBEL,
        """
        temp = torch.exp(self.logt)
        noisy = torch.matmul(x, self.W) + g
        scaled = noisy / temp
        q = F.softmax(scaled, dim=-1)
        recon = torch.matmul(q, self.code)
        r = recon - y
        loss = torch.mean(r ** 2)
        recon = None
        r_bar = 2 * r / r.numel()
        r = None
        self.code.grad = torch.matmul(q.T, r_bar)
        q_bar = torch.matmul(r_bar, self.code.T)
        r_bar = None
        scaled_bar = q * (q_bar - torch.sum(q_bar * q, dim=-1, keepdim=True))
        q = q_bar = None
        self.logt.grad = -torch.sum(scaled_bar * scaled)
        scaled = None
        noisy_bar = scaled_bar / temp
        self.W.grad = torch.matmul(x.T, noisy_bar)
        return loss
    """,
    ),
    program(
        "policy gradient with entropy",
        REINFORCE,
        """
        n = s.shape[0]
        k = self.W2.shape[1]
        adv = ret - ret.mean()
        pre = s @ self.W1
        h = pre * (pre > 0)
        logits = h @ self.W2
        logp = torch.log_softmax(logits, dim=1)
        pi = logp.exp()
        chosen = logp[torch.arange(n), a]
        neg_entropy = (pi * logp).sum(dim=1)
        loss = -(adv * chosen).mean() + 0.1 * neg_entropy.mean()
        taken = torch.zeros(n, k)
        taken[torch.arange(n), a] = 1
        glogits = adv[:, None] * (pi - taken) / n
        glogits += 0.1 * pi * (logp - neg_entropy[:, None]) / n
        self.W2.grad = h.T @ glogits
        gh = glogits @ self.W2.T
        gh[pre <= 0] = 0
        self.W1.grad = s.T @ gh
        return loss
    """,
    ),
    program(
        "dueling values",
        QLEARN,
        """
        n, k = s.shape[0], self.Wa.shape[1]
        h = torch.tanh(s @ self.W1)
        value = h @ self.Wv
        adv = h @ self.Wa
        q = value.view(n, 1) + adv - adv.mean(dim=1, keepdim=True)
        target = r + 0.9 * (1 - done) * best
        td = q[torch.arange(n), a] - target
        quad = 0.5 * td ** 2
        lin = td.abs() - 0.5
        loss = torch.where(td.abs() <= 1, quad, lin).mean()
        dtd = td.clamp(-1, 1) / n
        dq = torch.zeros(n, k)
        dq[torch.arange(n), a] = dtd
        dvalue = dq.sum(dim=1)
        dadv = dq - dq.mean(dim=1, keepdim=True)
        self.Wv.grad = dvalue @ h
        self.Wa.grad = h.T @ dadv
        dh = dvalue.view(n, 1) * self.Wv + dadv @ self.Wa.T
        dpre = dh * (1 - h * h)
        self.W1.grad = s.T @ dpre
        return loss
    """,
    ),
    program(
        "preferences against a reference",
        PREFERENCE,
        """
        n, v = ref.shape
        idx = torch.arange(n)
        beta = 0.7
        logits = x @ self.W + self.b
        logp = logits - logits.logsumexp(dim=1, keepdim=True)
        ref_logp = ref - ref.logsumexp(dim=1, keepdim=True)
        gain_w = logp[idx, win] - ref_logp[idx, win]
        gain_l = logp[idx, lose] - ref_logp[idx, lose]
        m = beta * (gain_w - gain_l)
        loss = torch.log(1 + torch.exp(-m)).mean() + 0.1 * gain_w.mean()
        dm = -torch.sigmoid(-m) / n
        dgain_w = beta * dm + 0.1 / n
        dgain_l = -beta * dm
        dlogp = torch.zeros(n, v)
        dlogp.scatter_add_(1, win[:, None], dgain_w[:, None])
        dlogp.scatter_add_(1, lose[:, None], dgain_l[:, None])
        dlogits = dlogp - logp.exp() * dlogp.sum(dim=1, keepdim=True)
        self.W.grad = x.T @ dlogits
        self.b.grad = dlogits.sum(dim=0)
        return loss
    """,
    ),
    program(
        "noise of a diffusion",
        DIFFUSION,
        """
        n, d = x0.shape
        ab = torch.pow(0.9, (t + 1).to(x0.dtype)).unsqueeze(1)
        xt = ab.sqrt() * x0 + (1 - ab).sqrt() * eps
        h = xt @ self.W1 + self.time[t]
        sig = torch.sigmoid(h)
        act = h * sig
        miss = act @ self.W2 - eps
        loss = (miss ** 2).mean()
        del ab
        dmiss = 2 * miss / (n * d)
        del miss
        self.W2.grad = act.T @ dmiss
        del act
        dact = dmiss @ self.W2.T
        del dmiss
        dh = dact * (sig + h * sig * (1 - sig))
        del dact, sig, h
        self.W1.grad = xt.T @ dh
        del xt
        dtime = torch.zeros_like(self.time)
        for i in range(n):
            dtime[t[i]] += dh[i]
        self.time.grad = dtime
        return loss
    """,
    ),
    program(
        "gaussian policy",
        CONTINUOUS,
        """
        n, m = act.shape
        mean = torch.tanh(s @ self.W)
        std = self.logstd.exp()
        u = (act - mean) / std
        logp = (-0.5 * u * u).sum(1) - self.logstd.sum()
        w = torch.sigmoid(logp - old)
        loss = -(w * adv).mean() - 0.01 * self.logstd.sum()
        dlogp = -adv * w * (1 - w) / n
        du = -dlogp[:, None] * u
        dmean = -du / std
        dlogstd = -(du * u).sum(0)
        dlogstd = dlogstd - dlogp.sum() - 0.01
        self.logstd.grad = dlogstd
        self.W.grad = s.T @ (dmean * (1 - mean ** 2))
        return loss
    """,
    ),
)
