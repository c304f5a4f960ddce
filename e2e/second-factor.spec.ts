import { Secret, TOTP } from "otpauth";
import { expect, expectAccessible, expectAccessibleInBothSchemes, testAlone } from "./academy.ts";
import { goToArea } from "./administration/page.ts";

testAlone(
  "an owner turns on a second factor and requires one; a colleague sees only how to turn it on [A28]",
  async ({ page, browser, ownAcademy: academy }) => {
    const { now } = await (await fetch(`${academy.url}/sandbox/api/clock`)).json();
    const ahead = Date.parse(now) - Date.now();
    await page.goto("/api/login?returnTo=/admin");
    await page.getByRole("button", { name: "Continue as admin@academy.test" }).click();
    await page.getByRole("link", { name: "Your sign-in" }).click();
    await page.getByRole("link", { name: "Set up second factor" }).click();
    await page.getByLabel("Password", { exact: true }).fill("academy-demo");
    await page.getByRole("button", { name: "Turn it on" }).click();
    const qr = await page.getByRole("img", { name: /^QR code/ }).boundingBox();
    expect(qr?.width).toBeGreaterThan(150);
    await expectAccessibleInBothSchemes(page);
    const key = (await page.locator(".key").textContent()) ?? "";
    const totp = new TOTP({ secret: Secret.fromBase32(key.replaceAll(" ", "")) });
    const typeCode = async (stepsAhead: number) => {
      const timestamp = Date.now() + ahead + stepsAhead * 30_000;
      await page.getByRole("textbox", { name: "Code" }).fill(totp.generate({ timestamp }));
      await page.keyboard.press("Enter");
    };
    await typeCode(0);
    await expect(page.getByRole("listitem")).toHaveCount(10);
    await expectAccessible(page);

    await page.goto("/api/logout");
    await page.goto("/api/login?returnTo=/admin");
    await page.getByRole("button", { name: "Continue as admin@academy.test" }).click();
    await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible();
    await expectAccessible(page);
    await typeCode(1);
    await page.waitForURL("**/admin");

    const colleague = await (await browser.newContext({ baseURL: academy.url })).newPage();
    await colleague.goto("/api/login?returnTo=/admin");
    await colleague.getByRole("button", { name: "Continue as helpdesk@academy.test" }).click();
    await expect(colleague.getByRole("heading", { level: 1, name: "Admin Dashboard" })).toBeVisible();
    await goToArea(colleague, "People");
    await expect(colleague.getByRole("link", { name: "Marisol Vega" })).toBeVisible();
    await goToArea(page, "People", "Team");
    await expect(page.getByRole("row", { name: /Ruth Okafor/ })).toContainText("On");
    await expect(page.getByRole("row", { name: /Imani Brandt/ })).toContainText("Off");
    await page.getByRole("button", { name: "Require a second factor" }).click();
    await expect(page.getByRole("button", { name: "Make it optional" })).toBeVisible();

    await colleague.getByRole("button", { name: "Refresh" }).click();
    await expect(colleague.getByRole("heading", { name: "Turn on your second factor" })).toBeVisible();
    await expect(colleague.getByText("Marisol Vega")).toHaveCount(0);
    await expectAccessible(colleague);
    await colleague.getByRole("link", { name: "Turn it on" }).click();
    await expect(colleague.getByRole("button", { name: "Turn it on" })).toBeVisible();
  },
);
