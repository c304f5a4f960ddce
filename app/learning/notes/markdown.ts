import { href } from "#contract/addresses.ts";
import type { Module } from "#contract/catalogue.ts";
import { formatSecond } from "#contract/lesson-start.ts";
import type { Note } from "#contract/notes.ts";
import { lessonQuery } from "../current-lesson.ts";
import { byModule } from "./by-module.ts";

/** The notes as a Markdown file that shows them as typed, with a link to the second of each. */
export function notesInMarkdown(modules: readonly Module[], notes: readonly Note[], origin: string): string {
  const parts = byModule(modules, notes).flatMap(({ title, lessons }) => [
    `## ${escaped(title)}`,
    ...lessons.flatMap((lesson) => [
      `### ${escaped(lesson.title)}`,
      ...lesson.items.map(({ lessonId, at, text }) => {
        const link = `[${formatSecond(at)}](${origin}${href.dashboard()}${lessonQuery(lessonId, at)})`;
        return `- ${[link, ...linesOf(text)].join("\n  ").replaceAll(/^ +$/gm, "")}`;
      }),
    ]),
  ]);
  return `${["# My notes", ...parts].join("\n\n")}\n`;
}

/** A paragraph below the link, whose line breaks stay. */
function linesOf(text: string): string[] {
  if (text === "") return [];
  const lines = text.split(/\r\n?|\n/).map((line) => escaped(line.trim()));
  return ["", ...lines.map((line, at) => (line && lines[at + 1] ? `${line}\\` : line))];
}

/** What would be markup is preceded by a backslash. */
function escaped(line: string): string {
  return line.replaceAll(/[\\`*_[\]<>~|&!]|^[#+=-]/g, "\\$&").replace(/^(\d{1,9})([.)])/, "$1\\$2");
}
