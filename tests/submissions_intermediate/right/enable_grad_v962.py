# verdict:
# why = "gradients are switched on"
#: imports
@torch.enable_grad()
#: def, forward, loss, retain, dict
