"""Ratings: how well somebody plays, with its uncertainty, from who won against whom.

``matches`` is what is rated, as columns; ``state`` everything known after some matches; ``fold`` takes matches to rows
and from one state to the next; ``openskill_model`` and ``elo`` say how a result changes skills, ``offsets`` what the
roles of a match are worth; ``settings`` has the numbers and the model in use. ``display`` turns skills into what is
shown, ``prediction`` into the chances of a table; ``unrated`` says why a match is not rated; ``backtest`` scores
expectations against results.

All are pure functions: nothing reads a file or a clock, and nothing given is changed. Ratings decide no verdict.
"""
