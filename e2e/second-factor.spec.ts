import { Secret, TOTP } from "otpauth";
import { expect, expectAccessibleInBothSchemes, testAlone } from "./academy.ts";

testAlone(
  "an administrator turns the second factor on, signs in with a code, and is asked for one in a step-up too",
  async ({ page, ownAcademy: academy }) => {
    const { now } = await (await fetch(`${academy.url}/sandbox/api/clock`)).json();
    const ahead = Date.parse(now) - Date.now();
    await page.goto("/api/login?returnTo=/admin");
    await page.getByRole("button", { name: "Continue as admin@academy.test" }).click();
    await page.getByRole("link", { name: "Your sign-in" }).click();
    await page.getByRole("link", { name: "Set up the second factor" }).click();
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
  },
);
