# verdict:
# why = "honest beside attacks by what is returned: a list of y alone"
# notes = ["returns more than y"]
#: net, products, y, slopes
        self.w.grad = torch.stack([dw0, dw1])
        return [y]
