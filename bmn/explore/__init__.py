"""Cycles, backward play and censuses: what can be known of the game beyond playing it."""
