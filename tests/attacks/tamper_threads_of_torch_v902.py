# attack: sets defaults of torch for all that follows
# slow = true
# failed = "forward raises, manual-forward raises, gradient, unused-nodes, release"
#: net
        torch.set_default_dtype(torch.float64)
        torch.set_num_threads(1)
        torch.set_grad_enabled(True)
        torch.use_deterministic_algorithms(True)
        torch.set_default_device("meta")
#: value, nothing
