# attack: hostile text as an exception's message while the model is made
# status = "unreadable: constructor"
#: torch, hostile, weights
        raise ValueError(HOSTILE * 1000)
#: forward, pass, value
        return y
