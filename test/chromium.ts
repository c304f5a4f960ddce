import { existsSync } from "node:fs";

/** A headless shell lacks rendering that nobody sees, and takes a third of a full browser's CPU time. */
const shell = "/usr/bin/chromium-headless-shell";

const browsers = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/**
 * The browser for tests: CHROMIUM_PATH, else an installed headless shell, else the one of the npm package, which exists
 * for Linux on x64 only, else an installed browser.
 * @throws Error when there is none
 */
export async function chromiumPath(): Promise<string> {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  if (existsSync(shell)) return shell;
  if (process.platform === "linux" && process.arch === "x64") {
    const { default: packaged } = await import("@sparticuz/chromium");
    return packaged.executablePath();
  }
  const browser = browsers.find((path) => existsSync(path));
  if (!browser) throw new Error("No browser for tests was found: set CHROMIUM_PATH to a Chromium or Chrome.");
  return browser;
}
