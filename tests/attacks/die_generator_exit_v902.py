# attack: raises GeneratorExit
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: net
        raise GeneratorExit
