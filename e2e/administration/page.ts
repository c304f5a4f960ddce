import type { Page } from "@playwright/test";
import { expect } from "../academy.ts";

export function rowOf(page: Page, email: string) {
  return page.getByRole("row").filter({ hasText: email });
}

export async function expectToast(page: Page, title: string): Promise<void> {
  await expect(page.getByText(title, { exact: true }).first()).toBeVisible();
}
