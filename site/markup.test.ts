import { expect, test } from "vitest";
import { hasSafeLinks, parseMarkup, plainText } from "#contract/markup.ts";

test("empty lines separate paragraphs, and prefixes mark headings and lists", () => {
  expect(parseMarkup("One\nline more\r\n\r\n## Then\nTwo\n- a\n- b\nThree\n\n\n- c")).toEqual([
    { kind: "paragraph", spans: [{ text: "One\nline more" }] },
    { kind: "heading", spans: [{ text: "Then" }] },
    { kind: "paragraph", spans: [{ text: "Two" }] },
    { kind: "list", items: [[{ text: "a" }], [{ text: "b" }]] },
    { kind: "paragraph", spans: [{ text: "Three" }] },
    { kind: "list", items: [[{ text: "c" }]] },
  ]);
  expect(plainText("One\n\n- a [b](/c)\n- d")).toBe("One a b d");
});

test("links lead to websites, emails, phone numbers, and our own pages", () => {
  for (const href of [
    "https://a.example/b?c#d",
    "http://a.example",
    "mailto:a@b.example",
    "tel:+441",
    "/contact",
    "#refunds",
  ]) {
    expect(parseMarkup(`See [this](${href}).`)).toEqual([
      { kind: "paragraph", spans: [{ text: "See " }, { text: "this", href }, { text: "." }] },
    ]);
    expect(hasSafeLinks(`[a](${href})`)).toBe(true);
  }
});

test("links with scripts or deceptive targets stay plain text [H11]", () => {
  for (const href of [
    "javascript:alert`1`",
    "JavaScript:alert`1`",
    "data:text/html,<b>",
    "vbscript:x",
    "//evil.example",
    "/\\evil.example",
    "https://",
    "mailto:",
    "evil.example",
  ]) {
    const text = `[a](${href})`;
    expect(parseMarkup(text), href).toEqual([{ kind: "paragraph", spans: [{ text }] }]);
    expect(hasSafeLinks(text), href).toBe(false);
  }
  expect(parseMarkup("<script>1</script> & [x] (y)")).toEqual([
    { kind: "paragraph", spans: [{ text: "<script>1</script> & [x] (y)" }] },
  ]);
});
