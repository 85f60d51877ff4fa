"""The game: cards, rulesets, referee, settlement, explanations. Imports nothing of pipelines or dashboards."""
