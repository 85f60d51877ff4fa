"""How simulated players choose what to play: policies of clearly different strength.

* ``random`` plays anything that is allowed, or passes;
* ``greedy`` beats whatever it can beat, as cheaply as it can, and leads its lowest group;
* ``partner`` plays as a club player would respect.

A policy only proposes; the referee's own test accepts or refuses. It knows what its seat knows: its own hand, what has
been played, and who has shown himself. What a policy proposes, and in which order, is part of a seed's promise: change
it, and its version must change too.
"""

from __future__ import annotations

#: The policies, weakest first; compiled code knows them by their places.
POLICIES = ("random", "greedy", "partner")
RANDOM, GREEDY, PARTNER = range(len(POLICIES))
#: The version of each. Policies and versions stand in the id of every simulated match, as ``r1``.
VERSIONS = {"random": 1, "greedy": 1, "partner": 1}
