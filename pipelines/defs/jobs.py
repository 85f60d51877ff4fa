"""The three steps of a run as jobs, for the Dagster UI. They follow each other: the first finds the partitions."""

import dagster as dg

receive = dg.define_asset_job(
    "receive", selection=dg.AssetSelection.assets("raw_file"), description="Take the files of the inbox in."
)
judge = dg.define_asset_job(
    "judge",
    selection=dg.AssetSelection.groups("intake", "referee") - dg.AssetSelection.assets("raw_file"),
    description="Judge files, each alone.",
)
publish = dg.define_asset_job(
    "publish",
    selection=dg.AssetSelection.groups(
        "selection", "registry", "settlement", "audit", "standings", "ratings", "balance", "publish"
    ),
    description="Choose, settle, audit, count and publish what is judged.",
)
