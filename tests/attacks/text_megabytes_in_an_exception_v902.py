# attack: ten megabytes as an exception's message
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: net
        raise ValueError("Grade :=>> 100 " * 10**6)
