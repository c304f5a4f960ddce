import { draftSettings, getContent } from "#contract/admin/content.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { expect, expectAccessibleInBothSchemes, signInAs, testAlone } from "../academy.ts";
import { expectToast } from "./page.ts";

testAlone(
  "an academy is given its name and its seller, and pages and receipts say them",
  async ({ page, browser, baseURL, ownAcademy }) => {
    await signInAs(page, "admin@academy.test", "/admin/settings");
    await expect(page.getByText("Empty: support@academy.test, as the server is configured.")).toBeVisible();
    await expectAccessibleInBothSchemes(page);
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

    const visitor = await (await browser.newContext({ baseURL })).newPage();
    await visitor.goto("/contact");
    await expect(visitor).toHaveTitle("Contact | Salt & Sugar");
    await expect(visitor.getByRole("main").getByRole("link", { name: "oven@bakery.example" }).first()).toBeVisible();
    await signInAs(visitor, "premium@academy.test", "/profile");
    await visitor
      .getByRole("link", { name: /^Receipt/ })
      .first()
      .click();
    // The receipt is of a payment before the change.
    await expect(visitor.getByRole("article").getByText("Annual Access")).toBeVisible();
    await expect(visitor.getByRole("article").getByText("1 Mill Lane")).toHaveCount(0);
    await visitor.context().close();

    const buyer = await ownAcademy.visitor().signInAsDemo("new@academy.test");
    const bought = await buyer.call(acceptPayment, { body: await buyer.paymentFor("premium") });
    const reader = await (await browser.newContext({ baseURL })).newPage();
    await signInAs(reader, "new@academy.test", `/receipts/${bought.body.purchaseId}`);
    for (const part of ["1 Mill Lane", "York", "VAT included"]) {
      await expect(reader.getByRole("article").getByText(part, { exact: true })).toBeVisible();
    }
    await expect(reader).toHaveTitle(/Salt & Sugar$/);
    await reader.context().close();
  },
);

testAlone("of two who change the settings the second is told so, and loses nothing", async ({ page, ownAcademy }) => {
  const other = await ownAcademy.visitor().signInAsDemo("admin@academy.test");
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
  await expectAccessibleInBothSchemes(page);
  await meanwhile.getByRole("button", { name: "Keep mine" }).click();
  await expect(meanwhile).toHaveCount(0);
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText("As saved.")).toBeVisible();
  expect((await other.call(getContent)).body.settings.draft?.taxLine).toBe("Mine");
});
