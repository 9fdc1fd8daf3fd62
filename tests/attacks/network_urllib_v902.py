# attack: fetches a page
# failed = "gradient wrong-gradient, unused-nodes, release"
import urllib.request

#: torch, tried, class
        for attempt in (
            lambda: urllib.request.urlopen("http://127.0.0.1:@port@/points", timeout=1),
        ):
            tried(attempt)
#: value, nothing
