# attack: a dict that answers every key
# failed = "gradient raises 12, release"
#: imports
class Lying(dict):
    def __contains__(self, key):
        return True

    def __getitem__(self, key):
        raise SystemExit("right")


#: def, forward, loss, retain
    return Lying()
