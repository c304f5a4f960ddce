import { chromium } from "@playwright/test";
import { createTransport } from "nodemailer";
import { expect, onTestFinished, test } from "vitest";
import { chromiumPath } from "#test/chromium.ts";
import { sandboxOfTest } from "#test/stand-ins/sandbox-of-test.ts";

test("the page works by keyboard and without console errors: mails, clock, outcomes, held transactions", async () => {
  const { url, sandbox, api, charge } = await sandboxOfTest();
  const browser = await chromium.launch({ executablePath: await chromiumPath() });
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
  const complaints: string[] = [];
  page.on("console", (message) => void complaints.push(message.text()));
  page.on("pageerror", (error) => void complaints.push(error.message));
  await page.goto(`${url}/sandbox`);
  await page.getByText("No emails yet.").waitFor();

  const html = `<h1>Hello</h1><p><a href="${url}/checkout">Confirm</a></p>`;
  const subject = "<script>alert(1)</script>";
  const mail = { from: "a@b.test", to: "new@academy.test", subject, text: "Hi", html };
  await createTransport(sandbox.smtpUrl).sendMail(mail);
  await page.getByText("new", { exact: true }).waitFor();
  await page.getByRole("link", { name: subject }).click();
  await page.frameLocator("iframe").getByRole("heading", { name: "Hello" }).waitFor();
  const [confirmed] = await Promise.all([
    page.waitForEvent("popup"),
    page.frameLocator("iframe").getByRole("link", { name: "Confirm" }).click(),
  ]);
  expect(confirmed.url()).toBe(`${url}/checkout`);
  await page.evaluate("window.isTheSamePage = true");

  await page.getByLabel("Move ahead by").fill("2d");
  await page.keyboard.press("Enter");
  await page.getByRole("status").filter({ hasText: "It is now" }).waitFor();
  expect(Date.parse((await api("GET", "clock")).content.now) - Date.now()).toBeGreaterThan(1.9 * 86_400_000);

  await page.getByText("new", { exact: true }).waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "+1 day" }).press("Enter");
  await page.getByRole("status").filter({ hasText: "no transactions new or changed, no new mails" }).waitFor();

  await page.getByRole("button", { name: "Decline", exact: true }).press("Enter");
  await page.getByRole("list", { name: "Staged outcomes" }).getByText("decline").waitFor();
  expect((await api("GET", "gateway/next")).content).toEqual({ outcomes: ["decline"] });
  await page.getByRole("button", { name: "Clear the queue" }).press("Enter");
  await page.getByText("Nothing is staged.").waitFor();

  await page.getByLabel("Add an outcome").selectOption("timeout-after");
  await page.getByRole("button", { name: "Add", exact: true }).press("Enter");
  await page.getByRole("list", { name: "Staged outcomes" }).getByText("timeout-after").waitFor();
  expect((await api("GET", "gateway/next")).content).toEqual({ outcomes: ["timeout-after"] });

  await api("POST", "gateway/next", { outcomes: ["hold"] });
  const { transId } = (await charge()).transactionResponse;
  await page.getByRole("row").filter({ hasText: transId }).getByText("new", { exact: true }).waitFor();
  const decision = page.getByRole("form", { name: `Decide about ${transId}` });
  await decision.getByRole("button", { name: "Approve" }).click();
  const hasText = `${transId} is now capturedPendingSettlement`;
  await page.getByRole("status").filter({ hasText }).waitFor();
  await page.getByRole("cell").filter({ hasText: "capturedPendingSettlement" }).waitFor();
  await page.getByRole("row").filter({ hasText: transId }).getByText("changed", { exact: true }).waitFor();
  expect(await page.evaluate("window.isTheSamePage")).toBe(true);

  const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  expect(overflow).toBeLessThanOrEqual(0);
  expect(complaints).toEqual([]);
});
