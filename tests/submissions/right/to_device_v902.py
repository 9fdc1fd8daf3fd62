# verdict:
#: torch
device = 'cuda' if torch.cuda.is_available() else 'cpu'
torch.set_grad_enabled(False)
torch.manual_seed(1)
#: class
        x1, x2, x3 = x1.to(device), x2.to(device), x3.to(device)
#: honest
