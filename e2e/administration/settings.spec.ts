import { draftSettings, getContent } from "#contract/admin/content.ts";
import { listPayments } from "#contract/purchases/receipts.ts";
import { become, expect, expectAccessibleInBothSchemes, signInAs, testAlone } from "../academy.ts";
import { expectToast } from "./page.ts";

testAlone(
  "settings show on pages and receipts, and a change by another meanwhile loses nothing",
  async ({ page, ownAcademy: academy }) => {
    await signInAs(page, "admin@academy.test", "/admin/settings");
    await expect(page.getByText("Empty: support@academy.test, as the server is configured.")).toBeVisible();
    await page.getByLabel("Name", { exact: true }).fill("Salt & Sugar");
    await page.getByLabel("Support address").fill("oven");
    await page.getByRole("button", { name: "Save draft" }).click();
    await expect(page.getByText("Invalid email")).toBeVisible();
    await expect(page.getByLabel("Support address")).toBeFocused();
    await page.getByLabel("Support address").fill("oven@bakery.example");
    await page.getByLabel("Business hours").fill("Tue-Sat: 7-3\n");
    await page.getByLabel("Seller’s address").fill("1 Mill Lane\nYork");
    await page.getByLabel("Tax line").fill("VAT included");
    await page.getByLabel("Brand color", { exact: true }).fill("#1a2b5c");
    const inTheDark = page.getByRole("figure", { name: "In the dark" });
    await expect(page.getByText(/^In the dark the brand color is shown as #/)).toBeVisible();
    await expect(inTheDark.getByText("Enroll now")).not.toHaveCSS("background-color", "rgb(26, 43, 92)");
    await expect(page.getByRole("figure", { name: "In the light" }).getByText("Enroll now")).toHaveCSS(
      "background-color",
      "rgb(26, 43, 92)",
    );
    await expectAccessibleInBothSchemes(page);
    await page.getByRole("button", { name: "Save draft" }).click();
    await expectToast(page, "Draft saved");
    await expect(page.getByRole("link", { name: "Academy, home" })).toBeVisible();
    await page.getByRole("button", { name: "Publish all" }).click();
    await expectToast(page, "Published");
    // The open document shows them too.
    await expect(page.getByRole("link", { name: "Salt & Sugar, home" })).toBeVisible();
    await expect(page).toHaveTitle("Settings | Salt & Sugar");
    const tag = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--tag"));
    expect(await tag()).toContain("#1a2b5c");
    await expect(page.getByText(/waits to be published/)).toHaveCount(0);

    await page.context().clearCookies();
    await page.goto("/contact");
    await expect(page).toHaveTitle("Contact | Salt & Sugar");
    await expect(page.getByRole("main").getByRole("link", { name: "oven@bakery.example" }).first()).toBeVisible();
    await signInAs(page, "premium@academy.test", "/profile");
    await page
      .getByRole("link", { name: /^Receipt/ })
      .first()
      .click();
    // The receipt is of a payment before the change.
    await expect(page.getByRole("article").getByText("Annual Access")).toBeVisible();
    await expect(page.getByRole("article").getByText("1 Mill Lane")).toHaveCount(0);

    const buyer = await academy.buyer("premium");
    const [payment] = (await buyer.call(listPayments)).body;
    await become(page.context(), buyer);
    await page.goto(`/receipts/${payment?.receiptId}`);
    for (const part of ["1 Mill Lane", "York", "VAT included"]) {
      await expect(page.getByRole("article").getByText(part, { exact: true })).toBeVisible();
    }
    await expect(page).toHaveTitle(/Salt & Sugar$/);

    // Another administrator changes the settings meanwhile.
    const other = await academy.visitor().signInAsDemo("admin@academy.test");
    await signInAs(page, "admin@academy.test", "/admin/settings");
    await page.getByLabel("Tax line").fill("Mine");
    const { draft, published } = (await other.call(getContent)).body.settings;
    const settings = draft ?? published;
    if (!settings) throw new Error("there are no settings");
    await other.call(draftSettings, { body: { ...settings, taxLine: "Theirs" } });
    await page.getByRole("button", { name: "Save draft" }).click();
    const meanwhile = page.getByRole("region", { name: "Changed meanwhile" });
    await expect(meanwhile).toBeVisible();
    await expect(page.getByLabel("Tax line")).toHaveValue("Mine");
    await meanwhile.getByText("From your words to theirs").click();
    await expect(meanwhile).toContainText("Theirs");
    await meanwhile.getByRole("button", { name: "Keep mine" }).click();
    await expect(meanwhile).toHaveCount(0);
    await page.getByRole("button", { name: "Save draft" }).click();
    await expect(page.getByText("As saved.")).toBeVisible();
    expect((await other.call(getContent)).body.settings.draft?.taxLine).toBe("Mine");
  },
);
