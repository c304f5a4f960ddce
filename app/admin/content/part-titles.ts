import type { CopyPart } from "#contract/copy.ts";

export const partTitles: Readonly<Record<CopyPart, string>> = {
  sections: "Sections",
  hero: "First screen",
  example: "Worked example",
  topics: "Skills and lessons",
  instructor: "Instructor",
  testimonials: "Reviews",
  materials: "What is included",
  pricing: "Texts around the prices",
  questions: "Questions",
  contact: "Contact page",
  footer: "Footer",
  terms: "Terms of Service",
  privacy: "Privacy Policy",
};
