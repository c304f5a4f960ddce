import { readFile } from "node:fs/promises";
import { changeCoupon, createCoupon, endCoupon, listCoupons } from "#contract/admin/coupons.ts";
import { signUpConfirmed } from "#test/coupons.ts";
import { expect, expectAccessible, signInAs, testAlone } from "./academy.ts";
import { choose, goToArea } from "./administration/page.ts";
import { watchConsole } from "./console.ts";

testAlone(
  "coupons are made, used, changed, ended and resumed, overwrite no change by another, and have links",
  async ({ page, context, ownAcademy: academy }) => {
    const complaints = watchConsole(page);
    await page.setViewportSize({ width: 320, height: 900 });
    await signInAs(page, "admin@academy.test", "/admin/coupons");
    await expect(page.getByText("No coupons yet")).toBeVisible();
    await page.getByRole("button", { name: "New coupon" }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Code").fill("autumn-20");
    await dialog.getByLabel("Amount").pressSequentially("10.05");
    await expect(dialog.getByLabel("Amount")).toHaveValue("10.05");
    await dialog.getByLabel("Amount").fill("20");
    await dialog.getByLabel("Starts, in your time zone").fill("2020-01-02T00:00");
    await dialog.getByLabel("Ends, in your time zone").fill("2020-01-01T00:00");
    await dialog.getByLabel("Lifetime Access").uncheck();
    await dialog.getByLabel("Discounted renewals").fill("12");
    await dialog.getByRole("button", { name: "Create coupon" }).press("Enter");
    await expect(dialog.getByText("Enter 11 or less")).toBeVisible();
    await dialog.getByLabel("Discounted renewals").fill("2");
    await dialog.getByRole("button", { name: "Create coupon" }).press("Enter");
    await expect(dialog.getByText("Enter a time after the start")).toBeVisible();
    await expect(dialog.getByLabel("Ends, in your time zone")).toBeFocused();
    await expectAccessible(page);
    const ends = dialog.getByLabel("Ends, in your time zone");
    await ends.fill("");
    await ends.pressSequentially("01012098");
    await dialog.getByRole("button", { name: "Create coupon" }).press("Enter");
    await expect(dialog.getByText("Enter a time too")).toBeVisible();
    await ends.fill("2098-01-01T00:00");
    await dialog.getByLabel("Total uses").fill("5");
    await dialog.getByRole("button", { name: "Create coupon" }).click();

    const row = page.getByRole("row", { name: /AUTUMN-20/ });
    await expect(row).toContainText("20% off Monthly Access and Annual Access, also the next 2 renewals");
    await expect(row).toContainText("Running");
    await expect(row).toContainText("0 of 5 used");

    // Somebody buys with it while its terms are being changed.
    await row.getByRole("button", { name: "Change AUTUMN-20" }).click();
    await dialog.getByLabel("Amount").fill("");
    await page.keyboard.press("Escape");
    const student = await signUpConfirmed(academy);
    await student.buyQuoted("premium", {}, "AUTUMN-20");
    await page.getByRole("banner").locator("summary").press("Enter");
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect(row).toContainText("1 of 5 used");
    await expect(row).toContainText("$317.60");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);

    await row.getByRole("button", { name: "Change AUTUMN-20" }).click();
    await expect(dialog.getByLabel("Amount")).toBeDisabled();
    await expect(dialog.getByLabel("Discounted renewals")).toBeDisabled();
    await expect(dialog.getByLabel("Amount")).toHaveValue("20");
    await dialog.getByLabel("Total uses").fill("1");
    await dialog.getByRole("button", { name: "Save" }).press("Enter");
    await expect(row).toContainText("Used up");
    await choose(row, "End");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "End coupon" }).click();
    await expect(row).toContainText("Ended");
    await choose(row, "Resume");
    await expect(row).toContainText("Used up");

    complaints.expectEmpty();

    // Another administrator changes or ends the same coupon.
    const other = await academy.visitor().signInAsDemo("admin@academy.test");
    const dates = { startsAt: "2020-01-01T00:00:00.000Z", endsAt: "2098-01-01T00:00:00.000Z" };
    const terms = { kind: "percent", value: 20, firstPurchaseOnly: false, ...dates };
    const body = { ...terms, plans: ["basic"], maxUses: null };
    await other.call(createCoupon, { body: { code: "TYPED", ...body } });
    const saved = async () => (await other.call(listCoupons)).body.rows.find(({ code }) => code === "TYPED");
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.getByRole("button", { name: "Refresh" }).click();
    const open = page.getByRole("button", { name: "Change TYPED" });
    await open.click();
    await dialog.getByLabel("Total uses").fill("50");
    await other.call(changeCoupon, {
      params: { code: "TYPED" },
      body: { ...body, plans: ["basic", "vip"], value: 30 },
    });
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Failed to save the coupon", { exact: true })).toBeVisible();
    expect(await saved()).toMatchObject({ value: 30, maxUses: null });
    const meanwhile = dialog.getByRole("region", { name: "Changed meanwhile" });
    await meanwhile.getByText("Compare your changes with theirs").press("Enter");
    await expect(meanwhile.getByRole("insertion")).toHaveText(["30%", "Monthly Access, Lifetime Access", "no limit"]);
    await meanwhile.getByRole("button", { name: "Use theirs" }).press("Enter");
    await expect(dialog.getByLabel("Amount")).toHaveValue("30");
    await expect(dialog.getByLabel("Lifetime Access")).toBeChecked();
    await dialog.getByLabel("Total uses").fill("50");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toHaveCount(0);
    expect(await saved()).toMatchObject({ value: 30, plans: ["basic", "vip"], maxUses: 50 });

    await choose(page.getByRole("row", { name: /TYPED/ }), "End");
    await other.call(endCoupon, { params: { code: "TYPED" }, body: {} });
    const ending = page.getByRole("dialog", { name: "End TYPED?" });
    await ending.getByRole("button", { name: "End coupon" }).click();
    await expect(page.getByText("This coupon has already ended.").first()).toBeVisible();
    await ending.getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByRole("row", { name: /TYPED/ })).toContainText("Ended");

    await goToArea(page, "Sales");
    await expect(page.getByText("$79.40 off, AUTUMN-20")).toBeVisible();

    // Single-use codes come as a file, and the link of a coupon leads to prices that keep its code.
    const laterComplaints = watchConsole(page);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await goToArea(page, "Sales", "Coupons");
    await page.getByRole("button", { name: "New single-use codes" }).click();
    await dialog.getByLabel("Number of codes").fill("51");
    await dialog.getByLabel("Prefix (optional)").fill("fair-");
    await dialog.getByLabel("Amount").fill("15");
    await dialog.getByLabel("Starts, in your time zone").fill("2020-01-01T00:00");
    await dialog.getByLabel("Ends, in your time zone").fill("2098-01-01T00:00");
    await dialog.getByRole("button", { name: "Create codes" }).click();
    await expect(dialog.getByText("Enter 50 or less")).toBeVisible();
    await expectAccessible(page);
    await dialog.getByLabel("Number of codes").fill("3");
    const download = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Create codes" }).press("Enter");
    const file = await download;
    expect(file.suggestedFilename()).toBe("coupon-codes.csv");
    const [head, ...lines] = (await readFile(await file.path(), "utf8")).trimEnd().split("\r\n");
    expect([head, lines.length]).toEqual(["code,link", 3]);
    const [code, link] = (lines[0] ?? "").split(",");
    await expect(dialog).toHaveCount(0);

    await choose(page.getByRole("row", { name: code ?? "" }), "Copy link");
    await expect(page.getByText("Link copied").first()).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
    await context.clearCookies();
    await page.goto(link ?? "");
    await page.getByRole("button", { name: "Start Monthly" }).click();
    await page.waitForURL(new RegExp(`code=${code}`));
    laterComplaints.expectEmpty();
  },
);
