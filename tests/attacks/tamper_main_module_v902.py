# attack: puts its own things into __main__
# failed = "gradient wrong-gradient, unused-nodes, release"
#: net
        import __main__

        __main__.score = 100
        __main__.main = __main__.answer = lambda *a, **k: 100
#: value, nothing
