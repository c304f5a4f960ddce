import { existsSync } from "node:fs";

const installed = [
  // Disables rendering that nobody sees, which saves a third of the CPU time.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The browser for tests: CHROMIUM_PATH, else an installed one, else the one of the npm package. */
export async function chromiumPath(): Promise<string> {
  const found = process.env.CHROMIUM_PATH || installed.find((path) => existsSync(path));
  if (found) return found;
  const { default: packaged } = await import("@sparticuz/chromium");
  return packaged.executablePath();
}
