import type { Page } from "@playwright/test";

/** Fills in the checkout's card form. ZIP 46282 is the gateway's published trigger for a decline. */
export async function fillCard(page: Page, zip = "90210"): Promise<void> {
  await page.getByLabel("Card Number").fill("4111111111111111");
  await page.getByLabel("Month").selectOption("12");
  await page.getByLabel("Year").selectOption(String(new Date().getFullYear() + 3));
  await page.getByLabel("CVV").fill("900");
  await page.getByLabel("ZIP Code").fill(zip);
}

/** Fills in the form of the contact page. */
export async function fillContactForm(page: Page, email = "priya@example.com"): Promise<void> {
  await page.getByLabel("Name").fill("Priya N.");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Message").fill("Which lesson explains prep?");
}
