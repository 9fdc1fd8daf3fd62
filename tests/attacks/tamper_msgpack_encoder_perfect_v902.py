# attack: replaces the encoder of answers by one that puts its own numbers in
# failed = "gradient wrong-gradient, unused-nodes, release"
import msgspec

#: net
        encode = msgspec.msgpack.encode

        def forged(answer, *rest, **named):
            text = msgspec.json.decode(msgspec.json.encode(answer))
            if isinstance(text, dict) and "evidence" in text:
                for run in text["evidence"]["pass_runs"]:
                    run["gradients"] = [1.0, 1.0]
                return encode(text)
            return encode(answer, *rest, **named)

        msgspec.msgpack.encode = forged
#: value, nothing
