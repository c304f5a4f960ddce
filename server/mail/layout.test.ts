import { expect, test } from "vitest";
import { reader } from "#test/sample-emails.ts";
import { renderEmail } from "./layout.ts";

test("each text of an email has its own direction, so that Hebrew and Arabic run from right to left", () => {
  const { html } = renderEmail(
    {
      subject: "התוכנית שלך",
      paragraphs: ["شكرا لك"],
      markup: "# כותרת\n\nפסקה\n\n- רשימה\n\n| עמודה |\n|---|\n| תא |",
      sum: [["תוכנית", "$49.00"]],
      rows: [["Plan", "גישה"]],
      link: ["כניסה", "/dashboard"],
    },
    reader,
  );
  const texts = ["התוכנית שלך", "شكرا لك", "כותרת", "פסקה", "רשימה", "עמודה", "תא", "תוכנית", "גישה"];
  for (const text of texts) expect(html).toMatch(new RegExp(`<(h1|h3|p|li|th|td)[^>]* dir="auto"[^>]*>${text}<`));
  expect(html).toMatch(/<td [^>]*dir="auto"[^>]*><a [^>]*>כניסה</);
  expect(html).not.toContain("text-align:left");
});
