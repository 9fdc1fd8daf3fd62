# attack: seeds every generator, to make points repeat
# failed = "gradient wrong-gradient, unused-nodes, release"
import random

#: net
        torch.manual_seed(0)
        random.seed(0)
        torch.manual_seed = random.seed = lambda *a: None
#: value, nothing
