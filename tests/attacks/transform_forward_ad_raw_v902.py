# attack: dual numbers by torch._C alone
# slow = true
# failed = "integrity forward-ad, gradient, unused-nodes, release"
#: torch, variant_of_w, class
        found = []
        for row in torch.eye(2):
            level = torch._C._enter_dual_level()
            dual = torch._VF._make_dual(self.w.detach(), row, level=level)
            y, slope = torch._VF._unpack_dual(variant(dual, x1, x2, x3), level=level)
            found.append(slope.clone())
            y = y.clone()
            torch._C._exit_dual_level(level=level)
        self.w.grad = torch.stack(found)
        return y
