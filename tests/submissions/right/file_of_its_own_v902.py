# verdict:
from pathlib import Path

#: model
        self.logs = LOGS
#: forward, pass, honest

LOGS = Path(__file__).resolve().parent / "logs"
