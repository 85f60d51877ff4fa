"""The replay of a match in a real browser: keys, the address, the seats round the table, names, a violation, speed."""

from __future__ import annotations

import re
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from dashboards.components.replay import LONGEST_NAME
from dashboards.launch import address, command
from tests.dashboards.snapshot import HOSTILE, publish
from yuanzi_core.explanation import cleaned
from yuanzi_core.texts import text

PHONE, DESKTOP, PROJECTOR = (
    ViewportSize(width=width, height=height) for width, height in ((390, 844), (1440, 900), (1920, 1080))
)
PATIENCE = 60_000
#: Milliseconds from a key to the drawn table: a tenth of a second is felt as at once.
AT_ONCE = 100
#: Of the handed cases: a five-player match of 10 tricks, a four-player one, and one with a play that does not beat.
FIVE, FOUR = "r12-00285", "r12-00288"
#: Five players, one partner only, and the play that reveals it.
ONE_PARTNER, ITS_REVEAL = "r12-00283", 6


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of handed cases."""
    home = tmp_path_factory.mktemp("replayed")
    publish(home)
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        port = int(tried.getsockname()[1])
    server = subprocess.Popen(command(home, port), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{address(port)}/_stcore/health", timeout=5).close()
                break
            except OSError:
                time.sleep(0.1)
        yield address(port)
    finally:
        server.terminate()
        server.wait(30)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of its own."""
    context = browser.new_context(viewport=DESKTOP, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def opened(page: Page, base: str, match: str, **at: str) -> Locator:
    """The replay of a match at a position."""
    query = "&".join(f"{name}={value}" for name, value in {"match": match, "lang": "en", **at}.items())
    page.goto(f"{base}/match?{query}")
    replay = page.locator(".replay")
    expect(replay.locator(".stage")).to_be_visible(timeout=PATIENCE)
    return replay


def asked(page: Page) -> dict[str, str]:
    """What the address of a page says."""
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def in_address(page: Page, **wanted: str | None) -> None:
    """Wait until the address says so."""
    for _ in range(50):
        found = asked(page)
        if all(found.get(name) == value for name, value in wanted.items()):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"{wanted} is not in {page.url}")


def centre(seat: Locator) -> tuple[float, float]:
    """The middle of a seat's plate on the screen."""
    box = seat.locator(".plate").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_keys_and_buttons_step_and_the_address_follows(page: Page, pages: str) -> None:
    replay = opened(page, pages, FIVE)
    position, stage = replay.locator(".position"), replay.locator(".stage")
    expect(position).to_have_text(text("replay.label.dealt", "en"))
    stage.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(position).to_contain_text("Play 2 of ")
    in_address(page, play="2")
    page.keyboard.press("PageDown")
    expect(replay.locator(".said")).to_contain_text("takes the trick")
    page.keyboard.press("End")
    expect(replay.locator(".said")).to_contain_text("Play stopped on points")
    page.keyboard.press("ArrowRight")
    expect(replay.locator(".buttons [data-name=end]")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("PageUp")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Home")
    expect(position).to_have_text(text("replay.label.dealt", "en"))
    in_address(page, play=None)
    for name in ("play_on", "trick_on", "trick_back", "end", "play_back", "start"):
        replay.get_by_role("button", name=text(f"replay.label.{name}", "en")).click()
    expect(position).to_have_text(text("replay.label.dealt", "en"))


def test_the_keyboard_alone_reaches_everything(page: Page, pages: str) -> None:
    replay = opened(page, pages, FIVE)
    replay.locator("select").first.focus()
    reached = []
    for _ in range(14):
        reached.append(page.evaluate("document.activeElement.shadowRoot?.activeElement?.dataset.name ?? ''"))
        page.keyboard.press("Tab")
    wanted = ["seat", "order", "open", "partner", "stage"]
    wanted += ["start", "trick_back", "play_back", "play_on", "trick_on", "end", "runner", "slider"]
    assert reached[: len(wanted)] == wanted


def test_an_address_is_a_position_in_either_language(page: Page, pages: str) -> None:
    at = {"play": "9", "seat": "3", "order": "count", "open": "1", "partner": "1"}
    replay = opened(page, pages, FIVE, **at)
    expect(replay.locator(".position")).to_contain_text("Play 9 of ")
    assert replay.locator("select").first.input_value() == "3"
    assert replay.locator("input[type=checkbox]:checked").count() == 2
    replay.locator(".stage").focus()
    page.keyboard.press("ArrowRight")
    page.get_by_text("中文", exact=True).click()
    expect(replay.locator(".position")).to_contain_text("第 10 手", timeout=PATIENCE)
    in_address(page, **{**at, "play": "10"}, lang="zh")
    page.reload()
    expect(replay.locator(".position")).to_contain_text("第 10 手", timeout=PATIENCE)


def round_the_table(replay: Locator, seats: int, viewer: int) -> None:
    """Whether the seats lie counter-clockwise round the table, from the viewer at the bottom (A1)."""
    table = replay.locator(".stage").bounding_box()
    assert table is not None
    x, y = table["x"] + table["width"] / 2, table["y"] + table["height"] / 2
    placed = [centre(replay.locator(".seat").nth((viewer + step) % seats)) for step in range(seats)]
    assert placed[0][1] == max(lower for _, lower in placed)
    assert placed[1][0] > x > placed[-1][0]
    # On a screen y grows downwards: going counter-clockwise, the turn from one seat to the next is negative.
    for one, other in zip(placed, placed[1:] + placed[:1], strict=True):
        assert (one[0] - x) * (other[1] - y) - (one[1] - y) * (other[0] - x) < 0


@pytest.mark.parametrize(("match", "seats"), [(FIVE, 5), (FOUR, 4)])
def test_A1_the_next_seat_is_at_every_viewer_s_right(page: Page, pages: str, match: str, seats: int) -> None:
    replay = opened(page, pages, match, play="7", open="1")
    choice = replay.locator('[data-name="seat"]')
    for size in (PHONE, DESKTOP, PROJECTOR):
        page.set_viewport_size(size)
        for viewer in range(seats):
            choice.select_option(str(viewer))
            round_the_table(replay, seats, viewer)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert replay.evaluate("table => table.scrollWidth <= table.clientWidth")


def test_hands_of_others_open_and_close(page: Page, pages: str) -> None:
    replay = opened(page, pages, FOUR)
    hands = replay.locator(".hand:visible")
    expect(hands).to_have_count(1)
    replay.get_by_label(text("replay.label.open", "en")).check()
    expect(hands).to_have_count(4)
    assert replay.locator(".hand .card").count() == 162
    page.set_viewport_size(PHONE)
    expect(replay.locator(".others .hand:visible")).to_have_count(3)
    assert replay.evaluate("table => table.scrollWidth <= table.clientWidth")


def test_the_partner_is_hidden_until_revealed(page: Page, pages: str) -> None:
    replay = opened(page, pages, FIVE)
    partner = replay.locator(".mark", has_text=text("replay.label.partner_mark", "en"))
    expect(partner).to_have_count(0)
    expect(replay.locator(".sides")).to_contain_text("?")
    replay.get_by_label(text("replay.label.partner", "en")).check()
    expect(partner.first).to_be_visible()
    expect(replay.locator(".sides")).not_to_contain_text("?")
    replay.get_by_label(text("replay.label.partner", "en")).uncheck()
    replay.locator(".stage").focus()
    page.keyboard.press("End")
    expect(partner.first).to_be_visible()


def test_A6_one_partner_revealed_does_not_say_that_there_is_no_other(page: Page, pages: str) -> None:
    replay = opened(page, pages, ONE_PARTNER, play=str(ITS_REVEAL + 1))
    marks = replay.locator(".plate .mark")
    expect(marks.filter(has_text=text("replay.label.partner_mark", "en"))).to_have_count(1)
    expect(marks.filter(has_text=text("replay.label.defender", "en"))).to_have_count(0)
    expect(replay.locator(".sides")).to_contain_text("?")
    replay.locator(".stage").focus()
    page.keyboard.press("End")
    expect(marks.filter(has_text=text("replay.label.defender", "en"))).to_have_count(3)


def test_names_are_text(page: Page, pages: str) -> None:
    replay = opened(page, pages, FIVE)
    titles = replay.locator(".who bdi").evaluate_all("names => names.map((name) => name.title)")
    assert len(titles) == 5
    assert set(titles) <= {cleaned(name, LONGEST_NAME) for name in HOSTILE}
    assert replay.locator("script, img, a").count() == 0


def test_a_violation_is_red_at_its_place_with_reason_and_rule(page: Page, pages: str) -> None:
    page.goto(f"{pages}/violations?code=CANNOT_BEAT&lang=en")
    page.get_by_role("link", name=text("pages.findings.open_match", "en")).first.click()
    replay = page.locator(".replay")
    expect(replay.locator(".stage")).to_be_visible(timeout=PATIENCE)
    # The way from a finding leads to the play itself.
    stop = replay.locator(".stop")
    expect(stop).to_be_visible()
    expect(stop).to_contain_text(text("reasons.violation.CANNOT_BEAT.name", "en"))
    expect(stop).to_contain_text(text("reasons.violation.CANNOT_BEAT.rule", "en"))
    expect(replay.locator(".play .broken")).to_have_count(1)
    red = replay.locator(".play .broken").evaluate("cards => getComputedStyle(cards).color")
    parts = [float(part) for part in red.removeprefix("color(srgb ").strip(")").split()[:3]]
    assert parts[0] > 2 * parts[1]
    replay.locator(".stage").focus()
    page.keyboard.press("ArrowLeft")
    expect(stop).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_the_replay(browser: Browser, pages: str, scheme: str) -> None:
    context = browser.new_context(viewport=DESKTOP, color_scheme="dark" if scheme == "dark" else "light")
    page = context.new_page()
    opened(page, pages, FIVE, play="9", open="1", partner="1")
    page.wait_for_timeout(500)
    found = Axe().run(page, context="[data-testid=stBidiComponentIsolated]").response
    context.close()
    assert found["passes"]
    assert not [(each["id"], each["nodes"]) for each in found["violations"]]


def test_a_step_is_instant_and_asks_the_server_nothing(page: Page, pages: str) -> None:
    replay = opened(page, pages, FIVE, open="1")
    page.wait_for_timeout(1000)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    took = replay.evaluate("""(table) => {
      const stage = table.querySelector(".stage");
      return Array.from({ length: 60 }, () => {
        const before = performance.now();
        stage.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
        table.getBoundingClientRect();
        return performance.now() - before;
      });
    }""")
    assert sorted(took)[len(took) // 2] < AT_ONCE
    assert not sent


def test_it_plays_by_itself_until_it_is_stopped(page: Page, pages: str) -> None:
    replay = opened(page, pages, FIVE)
    runner = replay.get_by_role("button", name="Autoplay")
    runner.click()
    expect(replay.get_by_role("button", name="Stop")).to_be_visible()
    expect(replay.locator(".position")).to_have_text(re.compile("Play 2 of"), timeout=PATIENCE)
    # A key of the reader's stops it where the key leads.
    page.keyboard.press("Home")
    expect(runner).to_be_visible()
    page.wait_for_timeout(1500)
    expect(replay.locator(".position")).to_have_text(text("replay.label.dealt", "en"))
    # The space bar on the table does the same, and the end is the end.
    replay.locator(".stage").press("End")
    replay.locator(".stage").press("ArrowLeft")
    replay.locator(".stage").press("Space")
    expect(replay.get_by_role("button", name="Stop")).to_be_visible()
    expect(runner).to_be_visible(timeout=PATIENCE)
    expect(replay.locator(".position")).to_have_text(re.compile(r"Play (\d+) of \1"))
