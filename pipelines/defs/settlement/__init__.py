"""What the matches that count come to, in ledger order: the cap of F6, scores, claims."""
