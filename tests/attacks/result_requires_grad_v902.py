# attack: a value that still has its graph
# failed = "gradient wrong-gradient, unused-nodes, release"
#: net
        with torch.enable_grad():
            w0, w1 = self.w
            y = w0 * x1 * (w1 * x2) + x3
#: nothing
