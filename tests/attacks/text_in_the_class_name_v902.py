# attack: hostile text as the class's name
# status = "unreadable: constructor"
#: torch, hostile, weights
        raise ValueError
#: forward, pass, value
        return y

Net.__name__ = Net.__qualname__ = HOSTILE.replace('\0', '').replace('\ud800\udfff', '')
