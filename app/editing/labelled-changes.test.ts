import { expect, test } from "vitest";
import type { Labels } from "./fields.tsx";
import { labelledChanges } from "./labelled-changes.ts";

interface Page {
  title: string;
  isShown?: boolean;
  tier?: string;
  seconds?: number;
  text?: string;
  chat?: { url: string } | null;
  reviews?: { id: string; name: string; quote: string }[];
}

const labels: Labels<Page> = {
  title: "Title",
  isShown: "Visible to students",
  tier: { label: "Plan", options: [["basic", "Monthly Access"]] },
  seconds: { label: "Length", words: (seconds: number) => `${seconds / 60} min` },
  text: "Text",
  chat: { labels: { url: "Address of the chat" } },
  reviews: { title: "Reviews", what: "review", labels: { name: "Who", quote: "What they say" } },
};

test("changed fields have the form's labels and values in words", () => {
  const before = { title: "A", isShown: false, tier: "vip", seconds: 60, chat: null };
  const after = { title: "B", isShown: true, tier: "basic", seconds: 120, chat: { url: "https://chat.example" } };
  expect(labelledChanges<Page>(before, after, labels)).toEqual([
    { field: "Title", before: "A", after: "B" },
    { field: "Visible to students", before: "no", after: "yes" },
    { field: "Plan", before: "vip", after: "Monthly Access" },
    { field: "Length", before: "1 min", after: "2 min" },
    { field: "Address of the chat", before: null, after: "https://chat.example" },
  ]);
});

test("entries of a list are named by their title when they are changed, added, removed or moved", () => {
  const [ada, bo, cy] = ["Ada", "Bo", "Cy"].map((name) => ({ id: name, name, quote: "Good." }));
  if (!ada || !bo || !cy) throw new Error("three reviews");
  const before = { title: "A", reviews: [ada, bo, cy] };
  const after = { title: "A", reviews: [cy, { ...ada, quote: "Great." }, { ...bo, id: "new", name: "Di" }] };
  expect(labelledChanges<Page>(before, after, labels)).toEqual([
    { field: "Reviews, order", before: "Ada, Cy", after: "Cy, Ada" },
    { field: "Reviews, Ada: What they say", before: "Good.", after: "Great." },
    { field: "Reviews, removed", before: "Who: Bo\nWhat they say: Good.", after: null },
    { field: "Reviews, added", before: null, after: "Who: Di\nWhat they say: Good." },
  ]);
});

test("long texts show only the lines that differ", () => {
  const [before, after] = [
    { title: "A", text: "1\n2\n3\n4" },
    { title: "A", text: "1\n2\nthree\n4" },
  ];
  expect(labelledChanges<Page>(before, after, labels)).toEqual([
    { field: "Text", before: "…\n3\n…", after: "…\nthree\n…" },
  ]);
});
