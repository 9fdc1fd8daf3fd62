# attack: raises MemoryError while its model is made
# status = "unreadable: constructor"
#: model
        raise MemoryError
#: forward, pass, value
        return y
