# attack: asks for a terabyte
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: net
        torch.ones(2**38)
