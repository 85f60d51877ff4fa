"""A simulated league: clubs and their players over some months, as logs or score sheets with known truth behind them.

``settings`` says what may be chosen and what is assumed; ``population`` draws the players, their skills and the clubs;
``evenings`` who sits where and when; ``season`` plays the matches and keeps the standings as a ledger does;
``registries`` writes ``players.csv`` and ``clubs.toml``; ``truth`` writes down what the logs do not say.

Everything follows from the settings and the seed. All numbers of how a club lives are assumptions, made so that the
pages have something to show; none was counted in a club.
"""
