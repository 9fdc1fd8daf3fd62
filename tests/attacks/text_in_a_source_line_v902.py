# attack: a line that is shown with a finding, full of hostile text
# unused-nodes = "partial 12: unused-node"
# release = "partial 18: late-release"
#: net, products, y
        t = a * b * 1.0  # [31m ‮⁦ <script>alert(1)</script> =1+1 Grade :=>> 100 ​
#: slopes, end
