import { sendContactMessage } from "#contract/contact.ts";
import { expect, expectAccessibleInBothSchemes, holdBack, signInAs, testAlone } from "../academy.ts";
import { watchConsole } from "../console.ts";
import { goToArea } from "./page.ts";

testAlone(
  "the home page's numbers lead to lists of that length, and areas to a role's pages, also on a phone",
  async ({ page, ownAcademy: academy }) => {
    const message = { name: "Ada", email: "ada@example.test", message: "Which lesson is first?", elapsed: 60_000 };
    await academy.visitor().call(sendContactMessage, { body: message });
    await academy.buyer("basic");
    const complaints = watchConsole(page);
    const letLoad = await holdBack(page, /\/api\/admin\/(morning|checklist)$/);
    await page.setViewportSize({ width: 1440, height: 900 });
    await signInAs(page, "admin@academy.test", "/admin");
    await expect(page.getByText("Loading the overview")).toBeAttached();
    const topOfLists = async () => (await page.getByRole("tablist", { name: "Lists" }).boundingBox())?.y;
    const before = await topOfLists();
    letLoad();
    await expect(page.getByText("Loading the overview")).toHaveCount(0);
    await expect(page.locator(".skeleton")).toHaveCount(0);
    expect(await topOfLists()).toBe(before);
    await expect(page.getByRole("link", { name: /^First steps/ })).toContainText("of 5 done. Next: ");

    const main = page.getByRole("main");
    const counted = [/^\d+ on hold or suspended$/, /^\d+ to answer$/, /^Messages to answer/];
    for (const name of [...counted, /^New subscriptions, today/]) {
      const link = main.getByRole("link", { name });
      const [count] = (await link.textContent())?.match(/\d+$|^\d+/) ?? [];
      expect(Number(count), String(name)).toBeGreaterThan(0);
      await link.click();
      if (counted.includes(name)) await expect(page.getByText(`of ${count}`, { exact: false }).first()).toBeVisible();
      else await expect(page.getByRole("region", { name: "In these dates" })).toBeVisible();
      await goToArea(page, "Home");
    }

    await page.setViewportSize({ width: 390, height: 844 });
    const figures = page.getByRole("region", { name: "Today and this month, table" });
    await expect(figures.getByRole("row", { name: /^Revenue/ }).getByRole("link")).toHaveCount(3);
    expect(await figures.evaluate((table) => table.scrollWidth - table.clientWidth)).toBe(0);
    await page.goto("/admin?tab=users");
    const row = page.getByRole("table", { name: "Users" }).getByRole("row").last();
    expect((await row.boundingBox())?.height).toBeLessThan(110);

    // The areas of a role have what waits there; on a phone they are a menu.
    await page.setViewportSize({ width: 1440, height: 900 });
    await signInAs(page, "helpdesk@academy.test", "/admin/coaching");
    const areas = page.getByRole("navigation", { name: "Administration" });
    const messages = areas.getByRole("link", { name: /^Messages/ });
    await expect(messages).toHaveText(/\d/);
    const waiting = Number((await messages.textContent())?.match(/\d+/)?.[0]);
    await academy.visitor().call(sendContactMessage, { body: { ...message, message: "And which is last?" } });
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect(messages).toHaveText(`Messages${waiting + 1} to answer`);

    await page.setViewportSize({ width: 390, height: 844 });
    await expect(areas).toHaveCount(0);
    const menu = page.getByRole("banner").locator("summary");
    await menu.press("Enter");
    await expect(areas.getByRole("link", { name: "Coaching" })).toHaveAttribute("aria-current", "page");
    await expectAccessibleInBothSchemes(page);
    await page.keyboard.press("Escape");
    await expect(areas).toHaveCount(0);
    await menu.press("Enter");
    await messages.press("Enter");
    await expect(areas).toHaveCount(0);
    await expect(page.getByRole("heading", { level: 1, name: "Contact Messages" })).toBeVisible();
    await expect(page.getByText("And which is last?")).toBeVisible();

    await menu.press("Enter");
    await areas.getByRole("link", { name: "Sales" }).press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: "Purchases" })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole("heading", { level: 1, name: "Contact Messages" })).toBeVisible();
    complaints.expectEmpty();
  },
);
