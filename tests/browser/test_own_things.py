"""What is mine, by the secret that my browser keeps: in every tab of it, and in nobody else's."""

from playwright.sync_api import Page, expect

from discover_core.scenario.question import Question
from discover_core.store.saved_scenarios import SavedScenarios, maker_of
from discover_core.store.store import Store
from tests.workers.scenarios import demo

from .conftest import Visit, settle

SECRET = "localStorage.getItem('discover-maker')"


def has_delete_buttons(page: Page, saved: str, count: int) -> None:
    expect(page.locator(f".st-key-open-overview-{saved} button")).to_be_visible()
    settle(page)
    expect(page.locator(f".st-key-delete-overview-{saved}")).to_have_count(count)


def test_a_saved_scenario_is_its_makers_in_every_tab_and_goes_with_everything_of_theirs(visit: Visit, store: Store):
    ann = visit()
    settle(ann)
    ann.wait_for_function(SECRET)
    secret = ann.evaluate(SECRET)
    saved = SavedScenarios(store).save(Question("Made by Ann", demo()), maker=maker_of(secret)).id
    tab, ben = visit("", beside=ann), visit()
    settle(ben)
    assert ben.evaluate(SECRET) != secret
    ben.reload()
    has_delete_buttons(tab, saved, 1)
    has_delete_buttons(ben, saved, 0)
    assert tab.evaluate(SECRET) == secret
    tab.evaluate("localStorage.setItem('discover-maker', '<b>')")  # nothing of ours: a new one takes its place
    tab.reload()
    settle(tab)
    tab.wait_for_function(f"/^[0-9a-f]{{32}}$/.test({SECRET})")
    tab.evaluate("secret => localStorage.setItem('discover-maker', secret)", secret)
    tab.reload()
    has_delete_buttons(tab, saved, 1)
    tab.get_by_role("button", name="Delete everything of mine").click()
    expect(tab.get_by_text("1 saved scenario", exact=True)).to_be_visible()
    tab.get_by_role("button", name="Delete it all").click()
    expect(tab.get_by_test_id("stAlert")).to_have_text("Everything of yours was deleted.")
    assert SavedScenarios(store).get(saved) is None
