"""The three-queue War of "51 SEDAPS": its rule, its claims, and how each is computed again."""
