import { Secret, TOTP } from "otpauth";
import { expect, expectAccessibleInBothSchemes, testAlone } from "./academy.ts";

testAlone(
  "an owner turns on a second factor and requires one; a colleague sees only how to turn it on [A28]",
  async ({ page, browser, ownAcademy: academy }) => {
    const { now } = await (await fetch(`${academy.url}/sandbox/api/clock`)).json();
    const ahead = Date.parse(now) - Date.now();
    await page.goto("/api/login?returnTo=/admin");
    await page.getByRole("button", { name: "Continue as admin@academy.test" }).click();
    await page.getByRole("link", { name: "Your sign-in" }).click();
    await page.getByRole("link", { name: "Set up second factor" }).click();
    await expectAccessibleInBothSchemes(page);
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
    await expectAccessibleInBothSchemes(page);
    const [recoveryCode = ""] = await page.getByRole("listitem").allTextContents();

    await page.goto("/api/logout");
    await page.goto("/api/login?returnTo=/admin");
    await page.getByRole("button", { name: "Continue as admin@academy.test" }).click();
    await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    await typeCode(1);
    await page.waitForURL("**/admin");

    await page.goto("/api/login?again=true&returnTo=/admin");
    await page.getByRole("button", { name: "Continue as admin@academy.test" }).click();
    await page.getByRole("textbox", { name: "Code" }).fill(recoveryCode);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/admin");

    const colleague = await (await browser.newContext({ baseURL: academy.url })).newPage();
    await colleague.goto("/api/login?returnTo=/admin");
    await colleague.getByRole("button", { name: "Continue as helpdesk@academy.test" }).click();
    await expect(colleague.getByRole("link", { name: "Marisol Vega" })).toBeVisible();
    await page.goto("/admin/settings");
    await page.getByRole("link", { name: "Team", exact: true }).last().click();
    await expect(page.getByRole("row", { name: /Ruth Okafor/ })).toContainText("On");
    await expect(page.getByRole("row", { name: /Imani Brandt/ })).toContainText("Off");
    await page.getByRole("button", { name: "Require a second factor" }).click();
    await expect(page.getByRole("button", { name: "Make it optional" })).toBeVisible();

    await colleague.getByRole("button", { name: "Refresh" }).click();
    await expect(colleague.getByRole("heading", { name: "Turn on your second factor" })).toBeVisible();
    await expect(colleague.getByText("Marisol Vega")).toHaveCount(0);
    await expectAccessibleInBothSchemes(colleague);
    await colleague.getByRole("link", { name: "Turn it on" }).click();
    await colleague.getByLabel("Password", { exact: true }).fill("academy-demo");
    await colleague.getByRole("button", { name: "Turn it on" }).click();
    const itsKey = (await colleague.locator(".key").textContent()) ?? "";
    const itsApp = new TOTP({ secret: Secret.fromBase32(itsKey.replaceAll(" ", "")) });
    await colleague.getByRole("textbox", { name: "Code" }).fill(itsApp.generate({ timestamp: Date.now() + ahead }));
    await colleague.keyboard.press("Enter");
    await colleague.getByRole("link", { name: "I've saved them" }).click();
    await colleague.waitForURL("**/profile");
    await colleague.getByRole("link", { name: "Admin", exact: true }).click();
    await expect(colleague.getByRole("link", { name: "Marisol Vega" })).toBeVisible();
  },
);
