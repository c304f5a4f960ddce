import { expect, test } from "vitest";
import type { Module } from "#contract/catalogue.ts";
import { renderMarkup } from "#contract/markup.ts";
import type { Note } from "#contract/notes.ts";
import { notesInMarkdown } from "./markdown.ts";

const lesson = { id: "lesson-1-1", title: "Dough [basics]", isUnlocked: true, comingSoon: false };
const modules = [{ position: 1, title: "Bread", lessons: [lesson] }] as unknown as Module[];
const note = (at: number, text: string, lessonId = "lesson-1-1"): Note => ({
  ...{ id: `n${at}`, lessonId, at, text },
  createdAt: "2026-01-01T00:00:00.000Z",
});

test("the file has the notes by module and lesson, each with a link to its second", () => {
  expect(
    notesInMarkdown(
      modules,
      [note(12, "Ask\nabout  salt\n\nTwice"), note(75, ""), note(3, "Old", "gone")],
      "https://a.test",
    ),
  ).toBe(`# My notes

## Module 1: Bread

### Dough \\[basics\\]

- [0:12](https://a.test/dashboard?lesson=lesson-1-1&at=12)

  Ask\\
  about  salt

  Twice

- [1:15](https://a.test/dashboard?lesson=lesson-1-1&at=75)

## Removed lessons

### A lesson that’s no longer in the course

- [0:03](https://a.test/dashboard?lesson=gone&at=3)

  Old
`);
});

test("a note full of marks is shown as typed", () => {
  const text =
    "# *1* _2_ `3` [4](5) <b>6</b> ~~7~~\n1. one\n- two\n+ three\n> four\n=====\n---\n| a | b |\n|---|---|\n&amp; \\ ![x](y)";
  const [, shown = ""] = renderMarkup(notesInMarkdown(modules, [note(1, text)], "https://a.test")).split("</p>\n<p>");
  const typed = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  expect(shown.replaceAll(/<br\s*\/?>/g, "").split("</p>")[0]).toBe(typed);
});
