import type { Locator, Page } from "@playwright/test";
import { expect } from "../academy.ts";

export function rowOf(page: Page, email: string) {
  return page.getByRole("row").filter({ hasText: email });
}

/** A draft in the list of drafts, by its title. */
export function draftOf(page: Page, title: string | RegExp) {
  const link = page.getByRole("link", { name: title, exact: true });
  return page.getByRole("main").getByRole("listitem").filter({ has: link });
}

/** From a page that edits drafts, once `change` is listed. Leaves the page of the drafts open. */
export async function publishAll(page: Page, change?: RegExp): Promise<void> {
  await page.getByRole("link", { name: "Review drafts" }).click();
  if (change) await expect(page.getByRole("main").getByRole("listitem").filter({ hasText: change })).toBeVisible();
  await page.getByRole("button", { name: "Publish all" }).click();
  await expectToast(page, "Published");
}

/** Waits for the form itself, because the message about another form may still be shown. */
export async function saveDraft(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByRole("status").filter({ hasText: "No unsaved changes" })).toBeVisible();
}

export async function expectToast(page: Page, title: string): Promise<void> {
  await expect(page.getByText(title, { exact: true }).first()).toBeVisible();
}

/** Follows the links to an area of the administration, and to one of its pages if it has more than one. */
export async function goToArea(page: Page, area: string, of?: string): Promise<void> {
  const isNarrow = (page.viewportSize()?.width ?? 0) < 1024;
  if (isNarrow) await page.getByRole("banner").locator("summary").press("Enter");
  const areas = page.getByRole("navigation", { name: "Administration" });
  await areas.getByRole("link", { name: new RegExp(`^${area}`) }).click();
  const pages = page.getByRole("navigation", { name: area, exact: true });
  if (of) await pages.getByRole("link", { name: new RegExp(`^${of}`) }).click();
}

/** Chooses an action of a row, or of the record that is open: in its menu, or the only one. */
export async function choose(within: Page | Locator, action: string): Promise<void> {
  const menu = within.getByRole("button", { name: /^Actions for / });
  const only = within.getByRole("button", { name: new RegExp(`^${action}, `) });
  await expect(menu.or(only)).toBeVisible();
  if (await only.isVisible()) return only.press("Enter");
  await menu.press("Enter");
  await within.getByRole("menuitem", { name: action }).press("Enter");
}
