# attack: an exception with another's traceback
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: net
        code = compile("\n" * 10**5 + "raise ValueError", "<submission 99>", "exec")
        exec(code)
