# attack: hostile text as the name of an exception's class
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: torch, hostile, class
        raise type(HOSTILE.replace('\0', '').replace('\ud800\udfff', ''), (Exception,), {})(HOSTILE)
