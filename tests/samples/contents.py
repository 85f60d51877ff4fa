"""The files of ``data/samples``: what is in each, and how it is packed."""

from __future__ import annotations

import tempfile
import zlib
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path

from tests.samples import clean, dialects, faulty
from tests.samples.evening import Match, Standings, encode
from tests.samples.registries import OPENING_FIVE, registries
from yuanzi_core.log import read_match
from yuanzi_core.writer import write_log

#: In how much of its last line a file breaks off.
_LEFT_OF_LAST_LINE = 0.5


def _opening(club: str) -> Standings:
    points = enumerate(OPENING_FIVE[club], 1)
    return Standings({f"{club}-{number:02}": Decimal(str(held)) for number, held in points})


def _lines(matches: Iterable[Match]) -> list[bytes]:
    return [encode(match) for match in matches]


def sample_lines() -> dict[str, list[bytes]]:
    """The lines of each file by its name, made in the order of the evenings, since standings go on."""
    tongxiang, jiaxing = _opening("tx"), _opening("jx")
    return {
        "jiaxing-2026-03-06.jsonl": _lines(clean.four_classic()),
        "huzhou-2026-03-07.jsonl": _lines(clean.five_classic()),
        "tongxiang-2026-03-08.jsonl": _lines(clean.five_atomic(tongxiang)),
        "huzhou-2026-03-13-violations.jsonl": _lines(faulty.violations()),
        "huzhou-2026-03-14-rejects.jsonl": list(faulty.rejects()),
        "jiaxing-2026-03-20-claims.jsonl": _lines(faulty.claims(jiaxing)),
        "tongxiang-2026-03-21-notation.jsonl": list(dialects.notation(tongxiang)),
        "jiaxing-2026-03-27.jsonl": _lines(faulty.notebook()),
        "jiaxing-2026-03-28-corrections.jsonl": list(faulty.corrections()),
        "huzhou-2026-04-03.jsonl.gz": _lines(clean.gzipped()),
        "tongxiang-2026-04-04.jsonl.zst": _lines(clean.zstandard(tongxiang)),
        "jiaxing-2026-04-10.parquet": _lines(clean.parquet()),
        "huzhou-2026-04-11-cut-off.jsonl.gz": _lines(clean.cut_off()),
    }


def _cut_off(lines: list[bytes]) -> bytes:
    """A gzip file that ends within its last line. All that is there can be unpacked."""
    whole = b"\n".join(lines)
    packer = zlib.compressobj(wbits=31)
    rest = len(lines[-1]) - int(len(lines[-1]) * _LEFT_OF_LAST_LINE)
    return packer.compress(whole[:-rest]) + packer.flush(zlib.Z_SYNC_FLUSH)


def write_samples(folder: Path) -> list[Path]:
    """Write all files into a folder; those that are packed may differ from byte to byte, not in what they hold."""
    written = []
    for name, lines in sample_lines().items():
        path = folder / name
        if "cut-off" in name:
            path.write_bytes(_cut_off(lines))
        elif path.suffix != ".jsonl":
            write_log(path, [read_match(line)[0] for line in lines])
        else:
            # The hand that typed the notation file works on Windows.
            end = b"\r\n" if "notation" in name else b"\n"
            path.write_bytes(b"".join(line + end for line in lines))
        written.append(path)
    for name, content in registries().items():
        path = folder / name
        path.write_bytes(content)
        written.append(path)
    return written


def unpacked(path: Path) -> object:
    """What a file holds: its bytes, or its rows."""
    if path.suffix == ".gz":
        return zlib.decompressobj(wbits=31).decompress(path.read_bytes())
    if path.suffix == ".zst":
        import zstandard

        return zstandard.ZstdDecompressor().decompressobj().decompress(path.read_bytes())
    if path.suffix == ".parquet":
        import pyarrow.parquet as pq

        return pq.read_table(path).to_pylist()
    return path.read_bytes()


def refresh(folder: Path) -> list[str]:
    """Write the files that hold something else than they should; returns their names."""
    with tempfile.TemporaryDirectory() as fresh:
        changed = []
        for path in write_samples(Path(fresh)):
            there = folder / path.name
            if not there.exists() or unpacked(there) != unpacked(path):
                there.write_bytes(path.read_bytes())
                changed.append(path.name)
        return changed
