"""A slow, plain reading of the rulings: the second opinion on the fast referee and on the settlement.

It is written from the numbered clauses alone and shares no code with the project, so that a mistake has to be made
twice to go unseen. Cards are texts ("7s", "XB"), plays are lists of such texts, scores are fractions.

`match.settle` judges and settles a whole match; the other files hold one subject each.
"""
