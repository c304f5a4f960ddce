import { getCourseAccess } from "#contract/access.ts";
import { joinAsCoach, markBooking } from "#contract/coaching/coach.ts";
import { joinBooking } from "#contract/coaching/coaching.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { bookAhead } from "#test/coaching.ts";
import { buyerOf, expect, expectAccessible, signInAs, testAlone } from "../academy.ts";
import { watchConsole } from "../console.ts";
import { expectToast } from "./page.ts";

testAlone(
  "the refund of an upgrade says what goes back, which days begin again and which session was held",
  async ({ page, ownAcademy: academy }) => {
    const complaints = watchConsole(page);
    const student = await buyerOf(academy, "basic");
    const upgrade = await student.quotedPaymentFor("vip");
    expect((await student.call(acceptPayment, { body: upgrade })).status).toBe(200);
    const booking = await bookAhead(student, academy, 0);
    const params = { id: booking.id };
    const moveTo = async (minutes: number) => {
      await academy.advance(`${Date.parse(booking.startsAt) + minutes * 60_000 - (await academy.now())}ms`);
      await student.signInAgain();
    };
    await moveTo(-5);
    const coach = await academy.visitor().signInAsDemo("coach@academy.test");
    expect((await student.call(joinBooking, { params, body: {} })).status).toBe(200);
    expect((await coach.call(joinAsCoach, { params, body: {} })).status).toBe(200);
    await moveTo(60);
    expect((await coach.call(markBooking, { params, body: { as: "held" } })).status).toBe(200);

    const open = async () => {
      // Refunds require a recent sign-in, and the issuer's session is a week old.
      await page.context().clearCookies();
      await signInAs(page, "admin@academy.test", `/admin?tab=purchases&search=${encodeURIComponent(student.email)}`);
      const row = page.getByRole("row", { name: /Lifetime Access/ }).filter({ hasText: student.email });
      await row.getByRole("button", { name: "Refund" }).press("Enter");
      return row;
    };
    const dialog = page.getByRole("dialog");
    const said = (name: string) => dialog.getByText(name, { exact: true }).locator("xpath=following-sibling::dd");
    const paid = `$${upgrade.amount.toLocaleString("en-US", { minimumFractionDigits: 2 })}`;
    const both = `$${(upgrade.amount + 49).toLocaleString("en-US", { minimumFractionDigits: 2 })}`;

    await open();
    await expect(said("Goes back now")).toHaveText(paid);
    await expect(said("Goes back with it")).toHaveText(
      "$49.00 of Monthly Access: within the refund window it belongs to the upgrade",
    );
    await expect(said("1-on-1 sessions held")).toContainText("with Dana");
    await expect(dialog.getByText("Begins again")).toHaveCount(0);
    await expect(dialog.getByRole("button", { name: `Refund ${both}` })).toBeEnabled();
    await page.setViewportSize({ width: 320, height: 800 });
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await page.keyboard.press("Escape");

    await academy.advance("8d");
    const row = await open();
    await expect(dialog.getByText(/^Outside of the policy since/)).toBeVisible();
    await expect(dialog.getByText("Goes back with it")).toHaveCount(0);
    await expect(said("Begins again")).toHaveText(
      "30 days of Monthly Access, without a renewal, once nothing higher is open",
    );
    await expect(said("Access afterwards")).toHaveText(/^Ends; what is left: Monthly Access until /);
    await expect(said("1-on-1 sessions held")).toContainText("with Dana");
    await expectAccessible(page);
    await dialog.getByRole("textbox", { name: /^Reason/ }).fill("Lifetime was a misunderstanding");
    await dialog.getByRole("button", { name: `Refund ${paid}` }).press("Enter");
    await expectToast(page, `${paid} refunded`);
    await expect(row.getByText("Refunded", { exact: true })).toBeVisible();
    await student.signInAgain();
    expect((await student.call(getCourseAccess)).body).toMatchObject({ hasAccess: true, tier: "basic" });
    complaints.expectEmpty();
  },
);
