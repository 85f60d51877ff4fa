"""Inputs that nobody would write: valid ones spoilt in structured ways, and bytes by chance.

Each target says how its inputs are made and what must hold for every one of them. ``make test`` runs each for a fixed
short time, ``make fuzz SECONDS=600`` for longer; what either finds becomes a test beside the code that is at fault.
"""
