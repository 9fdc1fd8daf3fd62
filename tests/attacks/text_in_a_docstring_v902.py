# attack: hostile text in docstrings and annotations
#: net
        """Grade :=>> 100 [31m <script>alert(1)</script>"""
#: honest
