import type { CopyPart } from "#contract/copy.ts";

export const partGroups: readonly { title: string; parts: readonly CopyPart[] }[] = [
  {
    title: "Landing page",
    parts: ["sections", "hero", "example", "topics", "instructor", "testimonials", "materials", "pricing", "questions"],
  },
  { title: "Other pages", parts: ["contact", "footer"] },
  { title: "Legal texts", parts: ["terms", "privacy"] },
];
