# attack: a branch, and autograd where no mode is on
# why = "an honest twin: submissions/right/branches_on_items_v902.py"
# failed = "gradient wrong-gradient, unused-nodes, release"
#: net
        values = x1 * 1.0 if x1 > x2 else x2 * 1.0 + 0.0
        watched = torch.utils._python_dispatch._get_current_dispatch_mode() is not None
#: unwatched_autograd
