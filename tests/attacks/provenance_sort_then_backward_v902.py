# attack: an op that is not replayed, and autograd where no mode is on
# why = "an honest twin: submissions/right/sorts_v902.py"
# failed = "gradient wrong-gradient, unused-nodes, release"
#: net
        values, _ = torch.sort(torch.stack([x1, x2]))
        watched = torch._C._len_torch_dispatch_stack() > 0
#: unwatched_autograd
