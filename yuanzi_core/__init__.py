"""The game: cards, rulesets, referee, settlement, ratings. Imports nothing of pipelines or dashboards."""
