import type { BuiltInPlan } from "./plans.ts";

/** A built-in file that students can download after the first start. */
export interface CourseFile {
  /** In content/resources; `scripts/make/resources.ts` makes them. */
  file: string;
  title: string;
  description: string;
  moduleId: string;
  /** Null when it belongs to the module as a whole. */
  lessonId: string | null;
  requiredTier: BuiltInPlan["tier"];
}

/** The materials that the landing page promises, and one file for each unfinished module. */
export const courseFiles: readonly CourseFile[] = [
  {
    file: "buy-sheet.xlsx",
    title: "Buy sheet",
    description: "Type the shelf price, the selling price and the fulfillment fee; read what is left before you buy.",
    moduleId: "module-1",
    lessonId: null,
    requiredTier: "basic",
  },
  {
    file: "prep-checklist.pdf",
    title: "Prep checklist",
    description: "One page for the packing table: peel, bag, wrap, label, drop test.",
    moduleId: "module-3",
    lessonId: "lesson-3-1",
    requiredTier: "basic",
  },
  {
    file: "shipment-log.xlsx",
    title: "Shipment log",
    description: "A row for each box with contents, weight and tracking number.",
    moduleId: "module-3",
    lessonId: "lesson-3-3",
    requiredTier: "basic",
  },
  {
    file: "buying-list.xlsx",
    title: "Buying list",
    description: "From one product that sold well to its neighbors: brand, shelf, season, and when to look again.",
    moduleId: "module-4",
    lessonId: "lesson-4-1",
    requiredTier: "premium",
  },
  {
    file: "business-credit-checklist.pdf",
    title: "Business credit checklist",
    description: "What to have in place before you ask a supplier for terms, in the order in which you need it.",
    moduleId: "module-5",
    lessonId: "lesson-5-1",
    requiredTier: "vip",
  },
];
