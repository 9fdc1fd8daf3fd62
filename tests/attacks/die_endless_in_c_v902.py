# attack: one call into C that does not end
# status = "timeout"
#: net
        return 9 ** 9 ** 9
