# attack: searches the closures and globals of its callers for a reference
# failed = "gradient wrong-gradient, unused-nodes, release"
#: net, value
        try:
            raise KeyError
        except KeyError as error:
            frame = error.__traceback__.tb_frame
        names = set()
        while frame:
            names |= set(frame.f_globals)
            frame = frame.f_back
        secret = sorted(names & {"expected", "reference", "autograd_cost", "roster", "rubric", "CHECKS"})
        if secret:
            raise ValueError("found " + ", ".join(secret))
#: nothing
