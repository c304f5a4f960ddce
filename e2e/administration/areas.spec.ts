import { sendContactMessage } from "#contract/contact.ts";
import { expect, expectAccessibleInBothSchemes, signInAs, testAlone } from "../academy.ts";
import { watchConsole } from "../console.ts";

testAlone(
  "areas lead to the pages of a role, with what waits there; on a phone they are a menu",
  async ({ page, ownAcademy: academy }) => {
    const complaints = watchConsole(page);
    await signInAs(page, "helpdesk@academy.test", "/admin/coaching");
    const areas = page.getByRole("navigation", { name: "Administration" });
    const messages = areas.getByRole("link", { name: /^Messages/ });
    const before = Number((await messages.textContent())?.match(/\d+/)?.[0] ?? 0);
    const message = { name: "Ada", email: "ada@example.test", message: "Which lesson is first?", elapsed: 60_000 };
    await academy.visitor().call(sendContactMessage, { body: message });
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect(messages).toHaveText(`Messages${before + 1} to answer`);

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
    await expect(page.getByText("Which lesson is first?")).toBeVisible();

    await menu.press("Enter");
    await areas.getByRole("link", { name: "Sales" }).press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: "Purchases" })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole("heading", { level: 1, name: "Contact Messages" })).toBeVisible();
    complaints.expectEmpty();
  },
);
