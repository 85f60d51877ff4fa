"""Faults on demand: violations, scorers' mistakes and faulty records put into true logs, each with its truth.

``kinds`` names the faults, ``injection`` puts them into a stream of matches, ``plays``, ``claims`` and ``mistakes``
know how each is made, ``resettlement`` asks the settlement what a mistaken scorer would get.
"""
