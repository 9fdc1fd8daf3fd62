# attack: a name of an exception's class that no encoder takes
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: net
        class Plain(Exception):
            pass

        Plain.__name__ = 'half\x1b[31m'
        raise Plain('\ud800')
