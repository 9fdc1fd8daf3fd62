# attack: a tensor subclass that says it is equal to everything
# failed = "gradient wrong-gradient, unused-nodes, release"
#: torch
class Liar(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func.__name__ in ("allclose", "equal", "isclose", "__eq__", "eq"):
            return True
        return super().__torch_function__(func, types, args, kwargs or {})
#: class, value
        self.w.grad = torch.zeros(2).as_subclass(Liar)
        return y.as_subclass(Liar)
