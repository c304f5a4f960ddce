import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { builtInColors } from "#contract/branding.ts";
import { plainPage, plainPagePolicy } from "./plain-page.ts";

const page = {
  title: "<b>Nothing</b>",
  message: "Ask & see",
  link: { href: '/?a="b"&c', text: "Try again" },
};

const branding = {
  stylesheet: "/assets/issuer.css",
  name: "Salt & Sugar",
  colors: builtInColors,
  icon: "/favicon.svg",
  brandingStylesheet: null,
  logo: null,
  isPlain: false,
};

test.each([
  [null, ""],
  [branding, " · Salt &amp; Sugar"],
])("what a page says is text, whatever it says (branding: %o)", (branding, name) => {
  const text = plainPage(page, branding);
  expect(text).toContain(`<title>&lt;b&gt;Nothing&lt;/b&gt;${name}</title>`);
  expect(text).toContain("<p>Ask &amp; see</p>");
  expect(text).toContain('<a class="button" href="/?a=&quot;b&quot;&amp;c">Try again</a>');
});

test("a page without a style sheet has inline styles, which its policy allows", () => {
  const [, style = ""] = /<style>([\s\S]*)<\/style>/.exec(plainPage(page, null)) ?? [];
  expect(style).toContain(".button");
  expect(plainPagePolicy).toContain(`'sha256-${hash("sha256", style, "base64")}'`);
  expect(plainPage(page, branding)).not.toContain("<style>");
});
