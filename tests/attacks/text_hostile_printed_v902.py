# attack: prints escape codes, markup, formulas and half characters
import logging
import sys
import warnings

#: torch, hostile, class
        sys.stdout.buffer.write(HOSTILE.encode('utf-8', 'surrogatepass'))
        sys.stdout.flush()
        warnings.warn(HOSTILE, stacklevel=1)
        logging.error(HOSTILE)
#: honest
