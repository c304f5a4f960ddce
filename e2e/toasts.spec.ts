import type { Page } from "@playwright/test";
import { expect, expectAccessible, signInAs, test } from "./academy.ts";
import { choose } from "./administration/page.ts";

const failure = "Failed to start sign up process. Please try again.";

const regionOf = (page: Page) => page.getByRole("region", { name: /^Notifications/, includeHidden: true });

/** Waits until the toast reacts to mouse and keyboard, slightly after it is drawn. */
async function expectWithinReach(page: Page) {
  await expect(regionOf(page)).toHaveCSS("pointer-events", "auto");
}

/** A page where each click on a button fails with a toast, with a clock that the test moves. */
async function openFailingPage(page: Page) {
  await page.clock.install();
  await page.addInitScript(() => {
    // Announcements are in the page for only a second.
    new MutationObserver(() => {
      const announced = document.querySelector("[aria-live=assertive]")?.textContent;
      if (announced) document.documentElement.dataset.announced = announced;
    }).observe(document, { subtree: true, childList: true, characterData: true });
    Storage.prototype.setItem = () => {
      throw new Error("full");
    };
  });
  await page.goto("/signup?tier=vip&priceId=vip_lifetime&price=1497");
  const region = regionOf(page);
  const slip = region.getByRole("listitem").filter({ hasText: failure });
  const fail = async () => {
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(slip).toBeVisible();
    await expectWithinReach(page);
  };
  return { region, slip, fail };
}

test("a toast is announced, appears once, stays five seconds unless it is in use, and can be closed", async ({
  page,
}) => {
  const { region, slip, fail } = await openFailingPage(page);
  await fail();
  await expect(slip).toHaveText(`Error${failure}`);
  await expect(page.locator("html")).toHaveAttribute("data-announced", `Notification Error${failure}`);
  await fail();
  await expect(slip).toHaveCount(1);
  await page.mouse.move(10, 300);
  await expectAccessible(page);
  await page.clock.fastForward(6000);
  await expect(slip).toHaveCount(0);
  await expect(page.getByRole("main").getByText(failure)).toBeVisible();
  // A dismissed toast is forgotten after a million milliseconds.
  await expect(region).toHaveCount(1);
  await page.clock.fastForward(1_000_001);
  await expect(region).toHaveCount(0);

  // Its time pauses while it is hovered, focused or hidden.
  await fail();
  await slip.hover();
  await page.clock.fastForward(20_000);
  await expect(slip).toBeVisible();
  await page.keyboard.press("F8");
  await page.mouse.move(10, 300);
  await page.clock.fastForward(20_000);
  await expect(slip).toBeVisible();
  await region.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.clock.fastForward(6000);
  await expect(slip).toHaveCount(0);

  await fail();
  await page.evaluate(() => window.dispatchEvent(new Event("blur")));
  await page.clock.fastForward(20_000);
  await expect(slip).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await page.clock.fastForward(6000);
  await expect(slip).toHaveCount(0);

  const swipe = async (pixels: number) => {
    const box = await slip.boundingBox();
    if (!box) throw new Error("there is no toast");
    const [x, y] = [box.x + 20, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + pixels, y, { steps: 4 });
    await page.mouse.up();
  };
  await fail();
  await swipe(-80);
  await swipe(49);
  await expect(slip).toBeVisible();
  await swipe(51);
  await expect(slip).toHaveCount(0);

  await fail();
  await region.getByRole("button", { name: "Dismiss" }).click();
  await expect(slip).toHaveCount(0);

  await fail();
  const button = page.getByRole("button", { name: "Create account" });
  await button.focus();
  await page.keyboard.press("F8");
  await page.keyboard.press("Escape");
  await expect(slip).toHaveCount(0);
  await expect(button).toBeFocused();

  // The failure is shown even when the toast component fails to load.
  await page.route("**/assets/toaster*", (route) => route.abort());
  await page.reload();
  await button.click();
  const plain = page.getByRole("alert").filter({ hasText: failure });
  await expect(plain).toBeVisible();
  await plain.click();
  await expect(plain).toHaveCount(0);
  await expect(page.getByRole("main").getByText(failure)).toBeVisible();
});

test("a toast above a dialog is reachable by keyboard, and closing it leaves the dialog open", async ({ page }) => {
  // No toast times out, however slow the machine is.
  await page.addInitScript(() => {
    const { setTimeout } = window;
    Object.assign(window, {
      setTimeout: (run: () => void, ms = 0) => setTimeout(run, ms > 3000 ? 3_600_000 : ms),
    });
  });
  await page.route("**/api/admin/update-user-tier", (route) => route.fulfill({ status: 503 }));
  await signInAs(page, "admin@academy.test", "/admin?tab=users&search=basic@academy.test");
  await choose(page, "Upgrade");
  const dialog = page.getByRole("dialog");
  const reason = dialog.getByLabel("Reason (optional)");
  await reason.fill("Made up for an outage");
  const confirm = dialog.getByRole("button", { name: "Upgrade to Annual Access" });
  const slip = page.getByRole("listitem").filter({ hasText: "Failed to update user tier" });
  const dismiss = page.getByRole("button", { name: "Dismiss" });

  await confirm.click();
  await expectWithinReach(page);
  await expectAccessible(page);
  await dismiss.click();
  await expect(slip).toHaveCount(0);
  await expect(reason).toHaveValue("Made up for an outage");

  await confirm.click();
  await expectWithinReach(page);
  await page.keyboard.press("F8");
  await page.keyboard.press("Tab");
  await expect(slip).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(dismiss).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(slip).toHaveCount(0);
  await expect(confirm).toBeFocused();
  await expect(reason).toHaveValue("Made up for an outage");
});
