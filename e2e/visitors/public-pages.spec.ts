import { minWritingMs } from "#contract/contact.ts";
import { expect, expectAccessible, expectLive, holdBack, test } from "../academy.ts";
import { watchConsole } from "../console.ts";
import { fillContactForm } from "../forms.ts";

const publicPages = ["/", "/signup", "/demo-dashboard", "/contact", "/privacy-policy", "/terms-of-service", "/sitemap"];
const success = "Your message has been sent successfully. We'll get back to you soon!";

test("the contact form reports missing fields, keeps what is refused, and confirms what it sent", async ({
  page,
  academy,
}) => {
  await page.addInitScript(() => {
    const violations: string[] = [];
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      violations.push(`${violatedDirective} ${blockedURI}`),
    );
    Object.assign(window, { violations });
  });
  const sent: string[] = [];
  page.on("request", (request) => request.url().includes("/api/contact") && sent.push(request.url()));
  const complaints = watchConsole(page);
  await page.goto("/");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Contact" }).click();
  await page.waitForURL("**/contact");
  await expectLive(page);
  const trap = page.locator("input[name=website]");
  await expect(trap).toHaveAttribute("tabindex", "-1");
  await expect(trap).toHaveAttribute("autocomplete", "off");
  await expect(page.getByRole("textbox", { name: "Website" })).toHaveCount(0);
  await page.getByLabel("Message").focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Send Message" })).toBeFocused();
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByText("Required", { exact: true })).toHaveCount(3);
  await expect(page.getByLabel("Name")).toBeFocused();
  await expect(page.getByLabel("Name")).toHaveAccessibleDescription("Required");
  await expectAccessible(page);
  await fillContactForm(page, "nobody");
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByLabel("Email")).toBeFocused();
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription("Invalid email");
  await expect(page.getByLabel("Email")).toHaveAttribute("aria-invalid", "true");
  expect(sent).toEqual([]);
  expect(await page.evaluate(() => (window as unknown as { violations: string[] }).violations)).toEqual([]);

  const main = page.getByRole("main");
  await expect(main.getByRole("link", { name: "support@academy.test" }).first()).toHaveAttribute(
    "href",
    "mailto:support@academy.test",
  );
  await expect(main.getByLabel("Message")).toHaveAttribute("rows", "4");

  // A message is confirmed, cleared from the form, and emailed to support.
  // The server marks messages that were written faster than people write, so what autofill wrote waits.
  await page.clock.install();
  await page.goto("/contact");
  await expectLive(page);
  await fillContactForm(page, "müller@пример.рф");
  const letGo = await holdBack(page, "**/api/contact");
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByRole("button", { name: "Sending…" })).toBeVisible();
  const answer = page.waitForResponse("**/api/contact");
  // The toast goes by itself.
  const toast = page
    .getByRole("status")
    .filter({ hasText: `Message sent${success}` })
    .waitFor();
  await page.clock.fastForward(minWritingMs);
  letGo();
  await toast;
  const response = await answer;
  expect(response.status()).toBe(200);
  const { elapsed, ...message } = response.request().postDataJSON();
  expect(elapsed).toBeGreaterThanOrEqual(minWritingMs);
  expect(message).toEqual({
    name: "Priya N.",
    email: "müller@пример.рф",
    message: "Which lesson explains prep?",
    website: "",
  });
  await expect(page.getByRole("main").getByText(success)).toBeVisible();
  for (const name of ["Name", "Email", "Message"]) await expect(page.getByLabel(name)).toHaveValue("");
  complaints.expectEmpty();
  await expect.poll(async () => (await academy.mails()).map(({ to }) => to)).toContain("support@academy.test");

  // A message that the server refuses stays in the form, with the server's reason or ours.
  await page.clock.resume();
  const answers = [
    {
      status: 429,
      contentType: "application/problem+json",
      body: JSON.stringify({ code: "too-many-requests", message: "Please wait a minute." }),
    },
    { status: 502, body: "Bad Gateway" },
  ];
  await page.route("**/api/contact", (route) => route.fulfill(answers.shift() ?? { status: 500 }));
  await page.goto("/contact");
  await expectLive(page);
  await fillContactForm(page);
  for (const reason of ["Please wait a minute.", "Failed to send message. Please try again."]) {
    await page.getByRole("button", { name: "Send Message" }).click();
    await expect(page.getByText("Error", { exact: true }).first()).toBeVisible();
    await expect(page.getByText(reason).first()).toBeVisible();
    await expect(page.getByLabel("Message")).toHaveValue("Which lesson explains prep?");
  }
});

test("the site map links to existing pages, and names retired ones without a link", async ({ academy }) => {
  const read = async (path: string) => (await fetch(new URL(path, academy.url))).text();
  const statusOf = async (path: string) => (await fetch(new URL(path, academy.url), { redirect: "manual" })).status;
  const [, main = ""] = /<main[^>]*>(.*)<\/main>/s.exec(await read("/sitemap")) ?? [];
  for (const path of ["/stripe-status", "/stripe-test"]) {
    expect(main).toContain(path);
    expect(main).not.toContain(`href="${path}"`);
    expect(await statusOf(path)).toBe(404);
  }
  const addresses = [...main.matchAll(/<a [^>]*href="(\/[^"]*)"/g)].map(([, address = ""]) => address);
  expect(addresses.length).toBeGreaterThan(10);
  const landing = await read("/");
  for (const address of addresses) {
    const [path = "", section] = address.split("#");
    expect(await statusOf(path), path).toBe(200);
    if (section) expect(landing, address).toContain(`id="${section}"`);
  }
});

test("pages have their URL for search engines, and legal pages their sections", async ({ academy }) => {
  const get = (path: string) => fetch(new URL(path, academy.url));
  const read = async (path: string) => (await get(path)).text();
  for (const path of publicPages) {
    const html = await read(path);
    const [, title = "none"] = /<title>([^<]*)<\/title>/.exec(html) ?? [];
    expect(html).toContain(`<link rel="canonical" href="${academy.url}${path}"`);
    expect(html).toContain(`<meta property="og:url" content="${academy.url}${path}"`);
    expect(html).toContain(`<meta property="og:title" content="${title}"`);
    expect(html).toContain("support@academy.test");
    expect(html).not.toContain("academy.invalid");
  }
  const landing = await read("/");
  const [, image = ""] = /<meta property="og:image" content="([^"]+)"/.exec(landing) ?? [];
  expect((await get(image)).headers.get("content-type")).toBe("image/png");
  expect((await get("/favicon.ico")).headers.get("content-type")).toBe("image/x-icon");

  for (const [path, section, promise] of [
    ["/privacy-policy", "cards", "We never store card numbers or security codes"],
    ["/terms-of-service", "refunds", "within 7 days of your first purchase"],
  ] as const) {
    const html = await read(path);
    expect(html).toMatch(new RegExp(`<a [^>]*href="[^"]*#${section}"`));
    expect(html.slice(html.indexOf(` id="${section}"`))).toContain(promise);
  }
  const siteMap = await read("/sitemap.xml");
  expect(siteMap).toContain(`<loc>${academy.url}/contact</loc>`);
  expect(siteMap).not.toContain("/dashboard<");
});

test("once idle the landing page stays as long, and it suits dark mode, paper and forced colours", async ({ page }) => {
  await page.goto("/");
  const hasGuesses = () =>
    page.evaluate(() =>
      [...document.querySelectorAll(".when-near")].some((part) => getComputedStyle(part).contentVisibility === "auto"),
    );
  await expect.poll(hasGuesses).toBe(false);

  // Price tags and drawings keep the colours of paper in dark mode.
  await page.emulateMedia({ colorScheme: "dark" });
  const inkOf = (elements: Element[]) =>
    elements.map((element) => getComputedStyle(element).getPropertyValue("--ink").trim());
  expect(await page.locator("body").evaluateAll(inkOf)).toEqual(["#f3f0e6"]);
  const onPaper = await page.locator(".scheme-light").evaluateAll(inkOf);
  expect(onPaper.length).toBeGreaterThan(10);
  expect(new Set(onPaper)).toEqual(new Set(["#17150f"]));

  await page.emulateMedia({ colorScheme: "light", forcedColors: "active" });
  for (const plan of await page.locator("#pricing .swing-tag").all()) {
    await expect(plan).not.toHaveCSS("border-top-width", "0px");
    await expect(plan).toHaveCSS("clip-path", "none");
  }

  // On paper, pages have all answers in dark ink and nothing fixed.
  await page.emulateMedia({ forcedColors: "none", media: "print" });
  for (const path of ["/", "/contact", "/terms-of-service"]) {
    if (path !== "/") await page.goto(path);
    if (path === "/") await expect(page.locator("#faq details > div")).toHaveCount(7);
    for (const answer of await page.locator("#faq details > div").all()) await expect(answer).toBeVisible();
    const found = await page.evaluate(() => {
      const shown = [...document.body.querySelectorAll("*")].filter(
        (element) => element.checkVisibility() && !element.closest("svg, .scheme-dark, .sr-only, option"),
      );
      const isPale = (element: Element) => {
        const [red = 0, green = 0, blue = 0] = (getComputedStyle(element).color.match(/[\d.]+/g) ?? []).map(Number);
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 128;
      };
      const hasText = ({ childNodes }: Element) =>
        [...childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
      return {
        fixed: shown.filter((element) => /fixed|sticky/.test(getComputedStyle(element).position)).map(String),
        pale: shown.filter((element) => hasText(element) && isPale(element)).map(({ textContent }) => textContent),
      };
    });
    expect(found, path).toEqual({ fixed: [], pale: [] });
  }

  // With forced colours, the bar and the menu mark the current page.
  await page.emulateMedia({ forcedColors: "active", media: "screen" });
  await page.goto("/contact");
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 700 });
    if (width === 390) await page.locator("header summary").click();
    const [current, other] = ["Contact", "Login"].map((name) =>
      page.getByRole("banner").getByRole("link", { name, exact: true }),
    );
    const background = (link = page.locator("nothing")) => link.evaluate((it) => getComputedStyle(it).backgroundColor);
    expect(await background(current), `at ${width}`).not.toBe(await background(other));
  }
});
