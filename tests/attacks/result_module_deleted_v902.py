# attack: takes its own weights and methods away
# failed = "forward raises, manual-forward raises, gradient, unused-nodes, release"
#: net
        del self.w
        self.__dict__.clear()
        return x3.clone()
