"""How the files of ``data/samples`` are made: ``python -m tests.samples`` writes them anew, byte for byte.

The deals are self-played with a fixed seed; what a file is to show is then done to them. What a checker must find in
each line is written down by hand in ``expected``.
"""
