import type { Academy } from "#test/academy.ts";
import { expect, test } from "../academy.ts";

const publicPages = [
  "/",
  "/signup",
  "/demo-dashboard",
  "/contact",
  "/privacy-policy",
  "/terms-of-service",
  "/sitemap",
  "/no/such/page",
];

/** Bytes of HTML by brotli: with its headers a page then fits the ten packets that a server may send at once. */
const budget = 13_400;
/**
 * The landing page is longer than that and needs a second round trip, which has room for far more. It carries plans and
 * offer as data, which its scripts, smaller by twice as much, do not know.
 */
const landingBudget = 18_800;

test("the HTML of every public page, styles included, stays within its budget", async ({ academy }) => {
  for (const path of publicPages) {
    const size = async () => {
      const { headers } = await fetch(academy.url + path, { method: "HEAD", headers: { "accept-encoding": "br" } });
      return Number(headers.get("content-length"));
    };
    // The first answer is compressed in a hurry, the next ones as well as can be.
    await expect.poll(size, path).toBeLessThanOrEqual(path === "/" ? landingBudget : budget);
  }
});

const views = [
  { width: 1440, colorScheme: "light", media: "screen" },
  { width: 390, colorScheme: "dark", media: "screen" },
  { width: 768, colorScheme: "light", media: "print" },
] as const;

for (const { width, colorScheme, media } of views) {
  test(`nothing on a public page changes when the whole style sheet arrives (${width} pixels, ${colorScheme}, ${media})`, async ({
    page,
    academy,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme, media, reducedMotion: "reduce" });
    await page.route(/\.(woff2|js)$/, (route) => route.abort());
    await page.goto("/robots.txt");
    const properties = await page.evaluate(declaredProperties, await wholeSheet(academy));
    for (const path of publicPages) {
      const mayCome = Promise.withResolvers<void>();
      await page.route("**/assets/*.css", async (route) => {
        await mayCome.promise;
        await route.continue();
      });
      await page.goto(path, { waitUntil: "commit" });
      await expect(page.locator("body > link[rel=stylesheet]")).toBeAttached();
      await page.evaluate(changedStyles, properties);
      mayCome.resolve();
      await expect.poll(() => page.evaluate(() => document.styleSheets.length)).toBe(2);
      expect(await page.evaluate(changedStyles, properties), path).toEqual([]);
      await page.unroute("**/assets/*.css");
    }
  });
}

async function wholeSheet({ url }: Academy): Promise<string> {
  const html = await (await fetch(`${url}/`)).text();
  const [address] = /\/assets\/[^"]+\.css/.exec(html) ?? [];
  return (await fetch(`${url}${address}`)).text();
}

/** Runs in the page: every property that the sheet gives to anything. What no sheet names, none can change. */
function declaredProperties(sheet: string): string[] {
  const parsed = new CSSStyleSheet();
  parsed.replaceSync(sheet);
  const found = new Set<string>();
  const collect = (rules: CSSRuleList) => {
    for (const rule of rules as Iterable<CSSRule & { style?: CSSStyleDeclaration; cssRules?: CSSRuleList }>) {
      for (const property of rule.style ?? []) found.add(property);
      if (rule.cssRules) collect(rule.cssRules);
    }
  };
  collect(parsed.cssRules);
  // Custom properties show in what they are used for; the others here are asked of the layout, which says it better.
  const isAskedElsewhere = /^--|^margin|^(min-|max-)?(width|height|inline-size|block-size)$|-origin$/;
  return [...found].filter((property) => !isAskedElsewhere.test(property));
}

/** Runs in the page, and says which elements have other styles than when it ran first, and which ones. */
function changedStyles(properties: string[]): string[] {
  // Also of what is laid out only when the reader comes near.
  document.documentElement.dataset.whole = "";
  const styles = [...document.querySelectorAll("#root *")].flatMap((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const box = element.checkVisibility() ? `box: ${[x, y, width, height].map(Math.round)}` : "out of sight";
    return [null, "::before", "::after"].flatMap((pseudo) => {
      const style = getComputedStyle(element, pseudo);
      if (pseudo && style.content === "none") return [];
      const name = `${element.tagName}${pseudo ?? ""}.${element.getAttribute("class")}`;
      return [[name, box, ...properties.map((property) => `${property}: ${style.getPropertyValue(property)}`)]];
    });
  });
  const kept = window as { styles?: string[][] };
  const before = kept.styles ?? styles;
  kept.styles = before;
  return before.flatMap((element, at) => {
    const changes = (styles[at] ?? []).filter((one, which) => one !== element[which]);
    return changes.length > 0 ? [`${element[0]} ${changes.slice(0, 5).join("; ")}`] : [];
  });
}
