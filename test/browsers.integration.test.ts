import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { oldestBrowsers } from "#content/browsers.ts";
import { stylesOf } from "#contract/branding.ts";
import { bcd, lackingInDocument, lackingInScript, lackingInStyles } from "./lacking-features.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** What some supported browsers lack, and why their pages work without it. */
const dispensable: Readonly<Record<string, string>> = {
  "accent-color": "Without enough contrast to the academy's colour, Safari's check marks are harder to see.",
  "box-decoration-break: clone": "Beside the property with its prefix.",
  "@property": "The end of a row does not fade, and the ring is drawn without animation. Tailwind's have a fallback.",
  "@media (scripting)": "Without scripts, a play button stays that does nothing.",
  "break-after: avoid": "On paper, a heading may be the last line of a page.",
  "contain-intrinsic-block-size": "Belongs to content-visibility.",
  "content-visibility": "The whole page is laid out before the first paint.",
  cursor: "iOS has no pointer.",
  "font-family: ui-monospace": "Another font of the list applies.",
  "forced-color-adjust": "Safari has no forced colours.",
  "grid-template-columns: subgrid": "In lists of skipped users, the reason is below the number.",
  "grid-template-rows: subgrid":
    "In the administrator's figures and below drawings, texts beside each other may be at different heights.",
  "interpolate-size": "A disclosure opens without animation.",
  "print-color-adjust: exact": "On paper, the drawing of the player has no background.",
  "::details-content": "A disclosure opens without animation, and on paper a closed one stays closed.",
  "<details name>": "Several questions can be open at once.",
  "overscroll-behavior-x": "Swiping on a row that has nothing to scroll may go back a page.",
  resize: "iOS has no handle to resize a field.",
  "scrollbar-width": "A row of links shows its scrollbar.",
  "::selection": "Selected text has the system's colours.",
  "text-decoration: dotted": "Safari draws a solid line.",
  "text-wrap": "Lines break where the words fill them.",
  ".exitPictureInPicture()": "The player's, behind a control that only browsers with picture in picture show.",
  ".startViewTransition()": "React's, for a component that no page uses.",
  ".lock()": "Not the screen's, but a mutex of the library that hashes uploads.",
  "{capture}": "Not the attribute, but an option of addEventListener().",
  "{is}": "Not the attribute, but the state of a payment.",
};

test("what is served uses nothing that a supported browser lacks and needs", () => {
  const read = (pattern: string) => [...new Set(globSync(root + pattern).map((file) => readFileSync(file, "utf8")))];
  const documents = read("dist/client/!(with-session)/**/*.html").concat(read("dist/client/*.html"));
  const parts = (pattern: RegExp) => [...new Set(documents.flatMap((text) => [...text.matchAll(pattern)]))];
  const inline = (pattern: RegExp) => [...new Set(parts(pattern).map(([, text = ""]) => text))];
  const styles = [
    ...read("dist/client/assets/*.css"),
    ...inline(/<style[^>]*>(.*?)<\/style>/gs),
    // Served without a build.
    ...read("{ui/styles/tokens,sandbox/page/*}.css"),
    stylesOf({ brand: "#1a2b5c", accent: "#c8201a" }),
  ];
  const scripts = [
    ...read("dist/client/assets/*.js"),
    ...inline(/<script(?: type="module")?>(.*?)<\/script>/gs),
    ...read("{issuer/pages,sandbox/page}/*.js"),
  ];
  for (const list of [documents, styles, scripts]) expect(list.length).toBeGreaterThan(5);
  const lacking = new Set([
    ...documents.flatMap(lackingInDocument),
    ...styles.flatMap(lackingInStyles),
    ...scripts.flatMap(lackingInScript),
  ]);
  const known = Object.keys(dispensable);
  expect([...lacking].filter((name) => !known.some((one) => name === one || name.startsWith(`${one}: `)))).toEqual([]);
  expect(known.filter((one) => ![...lacking].some((name) => name.startsWith(one)))).toEqual([]);
});

test("the features that tell an old browser came with the oldest supported ones", () => {
  const features = [bcd.javascript.builtins?.String?.isWellFormed, bcd.css.selectors?.has];
  for (const [browser, oldest] of Object.entries({ ...oldestBrowsers, safari_ios: oldestBrowsers.ios })) {
    if (browser === "ios") continue;
    const since = features.map((one) => [one?.__compat?.support[browser as "chrome"]].flat()[0]?.version_added);
    expect(Math.max(...since.map(Number)), browser).toBe(Number(oldest));
  }
});

const lackingParts: readonly [(text: string) => string[], string, string[]][] = [
  [lackingInStyles, ":root { --ink: light-dark(#000, #fff) }", ["light-dark("]],
  [lackingInStyles, "a { &:hover { color: red } }", ["nesting"]],
  [lackingInStyles, "@starting-style { a { opacity: 0 } }", ["@starting-style"]],
  [lackingInStyles, "a { mask: none; text-wrap: pretty }", ["mask", "text-wrap", "text-wrap: pretty"]],
  [lackingInStyles, "a { -webkit-mask: none; mask: none } b:has(c) { color: color-mix(in srgb, red, blue) }", []],
  [lackingInStyles, "p:user-valid { width: 2rlh } @supports (a: b) { a { &:hover { color: red } } }", [":user-valid"]],
  [lackingInDocument, '<dialog closedby="any"><p class="a" popover>', ["<dialog closedby>", "<p popover>"]],
  [lackingInScript, "Promise.withResolvers(); Object.groupBy(a, b)", ["Promise.withResolvers()", "Object.groupBy()"]],
  [
    lackingInScript,
    "Array.fromAsync(a); a.keys().map(b); [].map(b); Object.keys(a).map(b)",
    ["Array.fromAsync()", ".map()"],
  ],
  [lackingInScript, "URL.canParse(a); new Intl.DurationFormat()", ["URL.canParse()", "Intl.DurationFormat()"]],
  [lackingInScript, "new Set(a).union(b); /[a--b]/v.test(c); RegExp(a, 'uv')", [".union()", "/v"]],
  [
    lackingInScript,
    "a?.showPopover(); b.checkVisibility?.(); document.startViewTransition ? 1 : 2",
    [".showPopover()"],
  ],
  [
    lackingInScript,
    'import a from "b" with { type: "json" }; c({ popover: "auto" })',
    ["import attributes", "{popover}"],
  ],
];

test("the check finds what a supported browser lacks, and nothing else", () => {
  for (const [find, text, features] of lackingParts) expect(find(text), text).toEqual(features);
});
