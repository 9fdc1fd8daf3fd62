# verdict:
# why = "what tests below put into the pass's own lists and logs needs a backward that nothing runs here"
import logging

#: torch
logger = logging.getLogger("homework")
history = []
#: class
        logger.debug("inputs %s %s %s", x1, x2, x3)
#: products, y, slopes
        history.append(y.item())
#: end

net = Net()
net(*torch.rand(3)).backward()
history.append(net.w.grad.norm().item())
logger.info("autograd gives %s", net.w.grad.tolist())
Net.reference = net.w.grad.clone()
