# attack: replaces the encoder of answers
# failed = "gradient wrong-gradient, unused-nodes, release"
import msgspec

#: net
        msgspec.msgpack.encode = lambda *a, **k: b"\xc0"
#: value, nothing
