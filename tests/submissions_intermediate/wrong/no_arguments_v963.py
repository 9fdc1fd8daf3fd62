# verdict:
# status = "unreadable: signature @A"
# why = "globals for arguments"
#: imports
x, y, w, b = torch.rand(4, 3), torch.rand(4), torch.rand(3), torch.rand(())


def gradients():  # @A
#: forward, loss, retain, dict
