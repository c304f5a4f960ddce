import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { builtInCopy } from "#content/copy/copy.ts";
import type { AcademyCopy, CopyOf } from "#contract/copy.ts";
import { isSafeAddress } from "#contract/links.ts";
import { escapeHtml, mailText, renderMarkup } from "#contract/markup.ts";
import { databaseOfFile } from "#test/fixtures.ts";

const { pool } = await databaseOfFile();

/** The HTML that texts had before they became Markdown, without classes. */
function htmlBefore(text: string): string {
  return text
    .split(/\r?\n\s*\r?\n/)
    .flatMap((part) => part.split(/\r?\n/).concat(""))
    .map((line) => {
      if (line.startsWith("## ")) return `<h3>${lineBefore(line.slice(3))}</h3>`;
      if (line.startsWith("- ")) return `<ul><li>${lineBefore(line.slice(2))}</li></ul>`;
      return line.trim() ? `<p>${lineBefore(line)}</p>` : "|";
    })
    .join("")
    .replaceAll(/<\/ul>\|?<ul>/g, "")
    .replaceAll("</p><p>", "<br>")
    .replaceAll("|", "");
}

function lineBefore(line: string): string {
  let from = 0;
  let html = "";
  for (const { 0: whole, 1: words = "", 2: href = "", index } of line
    .trim()
    .matchAll(/\[([^[\]\n]{1,200})\]\(([^()\s]{1,500})\)/g)) {
    if (!isSafeAddress(href)) continue;
    html += `${shown(line.trim().slice(from, index))}<a href="${escapeHtml(href)}" rel="noreferrer">${shown(words)}</a>`;
    from = index + whole.length;
  }
  return html + shown(line.trim().slice(from));
}

const shown = (text: string) => escapeHtml(text).replaceAll("|", "&#124;");

/** Without the line breaks of the source, and with each list tight. */
const htmlNow = (text: string) =>
  renderMarkup(text)
    .replaceAll("\n", "")
    .replaceAll(/<li><p>|<\/p><\/li>/g, (tag) => (tag.startsWith("<l") ? "<li>" : "</li>"))
    .replaceAll("|", "&#124;");

const answersOf = ({ questions }: AcademyCopy) =>
  questions.questions.flatMap(({ answer, claim }) => [answer, ...(claim ? [claim.withoutClaim] : [])]);
const seeded = [
  builtInCopy.instructor.bio,
  ...answersOf(builtInCopy),
  ...[builtInCopy.terms, builtInCopy.privacy].flatMap(({ sections }) => sections.map(({ text }) => text)),
];

test("every text that comes with the academy shows as before it became Markdown", () => {
  expect(seeded.length).toBeGreaterThan(30);
  for (const text of seeded) expect(htmlNow(text), text).toBe(htmlBefore(text));
});

/** Markdown takes all of them for markup. */
const literal = [
  "*a* **b** _c_ __d__ a_b_c `e` ~~f~~ ~g",
  "# a\n#b\n### c\n## d ##\n##e",
  "> a\n+ b\n* c\n-d\n-\n1. e\n2) f\n2026) g\n3.h",
  "a\n===\nb\n---\n\n***\n\n_ _ _",
  "a | b\n--- | ---\nc | d\n\n| a |\n|---|\n\ne | f\n:--",
  "- a\nb\n- c\n\nd\n- # e\n- 1. f\n- > g\n- - h",
  "<b>a</b> <https://a.example> <a@b.example> a < b",
  "&amp; &copy; R&D &#65; a&b;c",
  "\\ \\* \\a a\\\nb",
  "![a](/b) [a] [a][b] [a](b) [c](javascript:1) [d](/e 'f') [g](//h)",
  "[a *b* _c_ & d](/e?f=1&copy=2) and [g](https://h.example/i_j_k*l)!",
  "[a]: /b\n\n[a]",
  "    a\n\n\tb\n\n```\nc\n```\n\n~~~",
  "+441 1-5 a  \nb\r\n\r\nc\r\nd",
];

test("published texts and drafts show after the migration what they showed before", async () => {
  const written = {
    ...builtInCopy.questions,
    questions: literal.map((answer, at) => ({ ...builtInCopy.questions.questions[0], id: `q-${at}`, answer })),
  };
  await pool.query(
    "insert into settings (name, value, updated_at) values ('copy:questions', $1, now()), ('copy:terms', $2, now())",
    [written, builtInCopy.terms],
  );
  await pool.query(
    "insert into content_drafts (kind, id, content, updated_at) values ('copy', 'questions', $1, now())",
    [written],
  );
  const letter = "Hello *you*\n- a [b](/c)\n\n## d\n    e";
  await pool.query(
    "insert into announcements (id, subject, text, audience, created_at) values ('a', 'S', $1, 'everybody', now())",
    [letter],
  );

  const migration = new URL("../db/migrations/20261128214500_texts-in-markdown/migration.sql", import.meta.url);
  await pool.query(await readFile(migration, "utf8"));

  const found = async <Value>(query: string) => (await pool.query<{ value: Value }>(query)).rows[0]?.value as Value;
  for (const query of [
    "select value from settings where name = 'copy:questions'",
    "select content as value from content_drafts where id = 'questions'",
  ]) {
    const { questions, title } = await found<CopyOf<"questions">>(query);
    expect(title).toBe(written.title);
    expect(questions.map(({ answer }) => htmlNow(answer))).toEqual(literal.map(htmlBefore));
  }
  const { sections } = await found<CopyOf<"terms">>("select value from settings where name = 'copy:terms'");
  expect(sections.map(({ text }) => htmlNow(text))).toEqual(
    builtInCopy.terms.sections.map(({ text }) => htmlBefore(text)),
  );
  expect(mailText(await found("select text as value from announcements"), "")).toBe(
    "Hello *you*\n\n- a [b](/c)\n\n## d\n\ne",
  );
});
