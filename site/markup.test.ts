import { expect, test } from "vitest";
import { hasSafeLinks } from "#contract/links.ts";
import { mailText, plainText, renderMarkup } from "#contract/markup.ts";

test("Markdown becomes headings below h2, lists, quotes, code and tables", () => {
  const html = renderMarkup("# A\n### B\n1. *c*\n2. `d`\n\n> e\nf\n\n| | h |\n|---|---|\n| i | j |\n");
  expect(html.replaceAll("\n", "")).toBe(
    "<h3>A</h3><h4>B</h4><ol><li><em>c</em></li><li><code>d</code></li></ol><blockquote><p>e<br>f</p></blockquote>" +
      '<div role="region" aria-label="Table" tabindex="0" class="overflow-x-auto"><table><thead><tr><td></td><th>h</th></tr>' +
      "</thead><tbody><tr><td>i</td><td>j</td></tr></tbody></table></div>",
  );
});

test("texts without markup list their blocks in a line, in emails with markers and whole addresses", () => {
  const text = "One\nline\n\n## Two\n- a [b](/c)\n- d\n\n3. e\n\n| f | g |\n|---|---|\n| h | i |";
  expect(plainText(text)).toBe("One\nline Two a b d e f | g h | i");
  expect(mailText(text, "https://a.example")).toBe(
    "One\nline\n\nTwo\n\n- a b (https://a.example/c)\n\n- d\n\n3. e\n\nf | g\n\nh | i",
  );
});

test.each(["https://a.example/b?c#d", "http://a.example", "mailto:a@b.example", "tel:+441", "/contact", "#refunds"])(
  "a link may lead to %s",
  (href) => {
    expect(renderMarkup(`See [this](${href}).`)).toBe(`<p>See <a href="${href}" rel="noreferrer">this</a>.</p>\n`);
    expect(hasSafeLinks(`[a](${href})`)).toBe(true);
  },
);

test.each([
  "javascript:alert`1`",
  "JavaScript:alert`1`",
  "&#106;avascript:alert(1)",
  "java&Tab;script:1",
  "data:text/html,<b>",
  "vbscript:x",
  "//evil.example",
  "/\\evil.example",
  "https://",
  "mailto:",
  "evil.example",
])("a link to %s stays plain text [H11]", (href) => {
  for (const text of [`[a](${href})`, `[a](<${href}>)`, `[a]\n\n[a]: ${href}`, `<${href}>`, `![a](${href})`]) {
    expect(renderMarkup(text), text).not.toMatch(/<a|<img|href=/);
  }
  expect(hasSafeLinks(`[a](${href.replaceAll(/[()]/g, "")})`), href).toBe(false);
});

test("HTML and pictures of other sites stay text, and uploaded pictures have a size [H11]", () => {
  expect(renderMarkup("<script>1</script> & <b onclick=x>\n\n<div>\n\n![x](https://a.example/b.png)")).toBe(
    "<p>&lt;script&gt;1&lt;/script&gt; &amp; &lt;b onclick=x&gt;</p>\n<p>&lt;div&gt;</p>\n<p>x</p>\n",
  );
  const id = `${"a1".repeat(16)}-640x240`;
  expect(renderMarkup(`![A "map"](/look/${id}.png)`, { origin: "https://a.example" })).toContain(
    `src="https://a.example/look/${id}.png" alt="A &quot;map&quot;" width="640" height="240"`,
  );
});

test.each([
  ["quotes", `${"> ".repeat(1000)}x`],
  ["lists", `${"- ".repeat(1000)}x`],
  ["emphasis", `${"*a _b ".repeat(8000)}`],
  ["brackets", "[".repeat(25_000) + "]".repeat(25_000)],
  ["links", "[a](".repeat(12_000)],
  ["code", "`a``b```c".repeat(5000)],
  ["columns", `${"|a".repeat(1000)}\n${"|-".repeat(1000)}\n${"|b".repeat(1000)}`],
  ["rows", `|a|b\n|-|-\n${"|\n".repeat(20_000)}`],
])("hostile %s become at most a megabyte of HTML, without nesting far", (_, text) => {
  const html = renderMarkup(text);
  expect(html.length).toBeLessThan(1_000_000);
  expect(html.match(/<th/g)?.length ?? 0).toBeLessThanOrEqual(21);
  expect(html.match(/<(blockquote|ul|em)>/g)?.length ?? 0).toBeLessThan(20_000);
});
