import { expect, type Page } from "@playwright/test";

/** Collects the page's console errors and warnings, exceptions and failed requests. */
export function watchConsole(page: Page): { expectEmpty(): void } {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return {
    expectEmpty: () => expect(complaints).toEqual([]),
  };
}
