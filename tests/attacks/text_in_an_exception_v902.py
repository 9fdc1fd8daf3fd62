# attack: hostile text as an exception's message
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: torch, hostile, class
        raise ValueError(HOSTILE)
