interface PastChange {
  readonly lessonId: string;
  /** Before the demo begins. */
  readonly daysAgo: number;
  readonly kind: "new" | "corrected" | "replaced";
  /** Seconds. */
  readonly part?: readonly [from: number, to: number];
  readonly note: string;
}

/** What changed in the demo's lessons, for /changes. */
export const pastChanges: readonly PastChange[] = [
  {
    lessonId: "lesson-1-3",
    daysAgo: 12,
    kind: "replaced",
    part: [8, 16],
    note: "The worked example uses this year’s fees.",
  },
  { lessonId: "lesson-2-2", daysAgo: 34, kind: "corrected", part: [4, 10], note: "The captions name the right chart." },
  {
    lessonId: "lesson-3-2",
    daysAgo: 61,
    kind: "replaced",
    note: "Filmed again with a label printer that is still sold.",
  },
  { lessonId: "lesson-2-4", daysAgo: 97, kind: "new", note: "Four reasons to leave a product on the shelf." },
];

/** When the team last checked the lessons of a module, in days before the demo begins. */
export const pastReviews: Readonly<Record<string, number>> = { "module-1": 20, "module-2": 45, "module-3": 96 };
