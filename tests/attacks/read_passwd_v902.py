# attack: reads /etc/passwd
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: net
        raise ValueError(open("/etc/passwd").read())
