import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { line } from "./line.ts";
import { hasSafeLinks, unsafeLinks } from "./links.ts";
import { Picture } from "./pictures.ts";

/** Text of several lines in Markdown, as `markup.ts` renders it. */
const text = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1, "Required")
    .max(maxLength, `Use ${maxLength} characters or fewer`)
    .refine(hasSafeLinks, unsafeLinks);

/** An entry's id, which stays when its text changes. The server replaces ids that begin with `new-`. */
const id = z.string().regex(/^[a-z0-9-]{1,60}$/, "Lower-case letters, digits and hyphens");

function list<Entry extends z.ZodType<{ id: string }>>(entry: Entry, min: number, max: number) {
  return z
    .array(entry)
    .min(min, min === 1 ? "At least one" : `At least ${min}`)
    .max(max, `At most ${max}`)
    .refine((entries) => new Set(entries.map((one) => one.id)).size === entries.length, "Two entries have the same id");
}

const Heading = z.object({ title: line(80), lead: line(240) });

/** Null: none. */
const picture = Picture.nullable().default(null);

/** A claim of an entry that needs proof, and the entry's text after the claim is removed at /admin/claims. */
const Stated = z.strictObject({ id, withoutClaim: text(1500) }).nullable();

/** Sections of the landing page below the first screen, in default order. */
const landingSections = [
  "example",
  "topics",
  "inside",
  "curriculum",
  "instructor",
  "testimonials",
  "materials",
  "pricing",
  "questions",
] as const;
const LandingSection = z.enum(landingSections);
export type LandingSection = z.infer<typeof LandingSection>;

const count = landingSections.length;
const SectionsCopy = z.strictObject({
  part: z.literal("sections"),
  sections: list(z.strictObject({ id: LandingSection, isShown: z.boolean() }), count, count)
    .refine(
      (sections) => sections.some(({ id, isShown }) => id === "pricing" && isShown),
      "The prices stay on the page",
    )
    .describe("All of them, in their order on the landing page. The prices are always shown"),
});

const HeroCopy = z.strictObject({
  part: z.literal("hero"),
  eyebrow: line(80).describe("Also the title of the page in searches"),
  headline: line(90),
  headlineTag: line(40).nullable().describe("Words of the headline that hang in it as a tag"),
  subline: line(400).describe("Also the description of the page in searches"),
  hasPicture: z.boolean().default(true).describe("A drawing stands below, on wide screens"),
  picture: picture.describe("Shown on all screens instead of the drawing"),
  primaryAction: line(30),
  secondaryAction: line(30),
  assurance: line(120).describe("Stands after the lowest price"),
  freeVideosTitle: line(60),
  freeVideosNote: line(160),
  trust: list(z.strictObject({ id, value: line(12), label: line(50) }), 0, 3).describe("Each a claim of its id"),
});

const ExampleCopy = z.strictObject({
  part: z.literal("example"),
  ...Heading.shape,
  action: line(80),
  leftLabel: line(30),
  leftValue: line(12),
  rightLabel: line(30),
  rightValue: line(12),
  item: line(60),
  lines: list(z.strictObject({ id, what: line(40), amount: line(12) }), 1, 8),
  resultLabel: line(40),
  result: line(12),
  note: line(240),
});

/** The built-in drawings, by their subject. */
export const topicPictures = ["sum", "scanner", "history", "bag", "box", "list"] as const;
export type TopicPicture = (typeof topicPictures)[number];

const TopicsCopy = z.strictObject({
  part: z.literal("topics"),
  ...Heading.shape,
  topics: list(
    z.strictObject({
      id,
      title: line(40),
      sentence: line(240),
      moduleId: line(40).nullable().describe("Of the course; the page says its number, and whether it is coming soon"),
      picture: z.enum(topicPictures).nullable().default(null).describe("A drawing over it; null: its number"),
    }),
    1,
    12,
  ),
  curriculumTitle: line(80),
  curriculumLead: line(240),
});

const InstructorCopy = z.strictObject({
  part: z.literal("instructor"),
  ...Heading.shape,
  name: line(60),
  role: line(80),
  picture: picture.describe("Portrait; null shows a drawing"),
  bio: text(3000),
  quote: line(300),
});

const TestimonialsCopy = z.strictObject({
  part: z.literal("testimonials"),
  ...Heading.shape,
  testimonials: list(
    z.strictObject({ id, name: line(60), detail: line(100), quote: line(600), picture }),
    0,
    24,
  ).describe("Each a claim of its id"),
});

const MaterialsCopy = z.strictObject({
  part: z.literal("materials"),
  ...Heading.shape,
  hasPicture: z.boolean().default(true).describe("A drawing stands beside it, on wide screens"),
  label: line(40),
  materials: list(
    z.strictObject({
      id,
      title: line(40),
      detail: line(240),
      availability: z
        .strictObject({
          id,
          since: z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, "Enter a month"),
          withoutClaim: line(240),
        })
        .nullable()
        .describe("Since which month it is there"),
    }),
    1,
    12,
  ),
});

const PricingCopy = z.strictObject({
  part: z.literal("pricing"),
  ...Heading.shape,
  notes: list(z.strictObject({ id, title: line(80), text: line(300), claim: Stated }), 0, 6),
});

const QuestionsCopy = z.strictObject({
  part: z.literal("questions"),
  ...Heading.shape,
  askQuestion: line(80),
  askAction: line(40),
  questions: list(z.strictObject({ id, question: line(160), answer: text(1500), claim: Stated }), 1, 30),
});

const topic = z.strictObject({ id, title: line(60), text: line(400), include: line(240).nullable() });

const ContactCopy = z.strictObject({
  part: z.literal("contact"),
  headline: line(80),
  lead: line(240),
  description: line(240).describe("For searches"),
  support: list(topic, 1, 6),
  programTitle: line(60),
  programText: line(400),
  inquiriesLead: line(160),
  inquiries: list(topic, 1, 6),
  refundText: line(800),
  refundHow: line(400),
  times: list(z.strictObject({ id, about: line(60), within: line(60) }), 1, 8),
});

export const FooterCopy = z.strictObject({
  part: z.literal("footer"),
  tagline: line(80),
  copyright: line(120).describe("`{year}` becomes the year"),
  about: line(240).nullable(),
  independence: line(400).nullable(),
  resultsTitle: line(60),
  results: line(1000),
});
export type FooterCopy = z.infer<typeof FooterCopy>;

const legal = {
  title: line(80),
  description: line(300).describe("For searches"),
  inShort: z.array(line(300)).max(10, "At most 10"),
  sections: list(
    z.strictObject({
      id: id.describe("The address of the section"),
      title: line(120),
      text: text(12_000),
      privacyChoices: z.boolean().describe("Ends with the button by which the answer about measuring is changed"),
    }),
    1,
    60,
  ),
};

const TermsCopy = z.strictObject({ part: z.literal("terms"), ...legal });
const PrivacyCopy = z.strictObject({ part: z.literal("privacy"), ...legal });

/**
 * A part of the academy's copy, as administrators edit it at /admin/pages. `{academy}` is replaced by its name,
 * `{refundDays}` by its refund period, and in longer texts `{email}` by its support address.
 */
export const Copy = z
  .discriminatedUnion("part", [
    HeroCopy,
    ExampleCopy,
    TopicsCopy,
    InstructorCopy,
    TestimonialsCopy,
    MaterialsCopy,
    PricingCopy,
    QuestionsCopy,
    ContactCopy,
    FooterCopy,
    TermsCopy,
    PrivacyCopy,
    SectionsCopy,
  ])
  .meta({ id: "Copy" });
export type Copy = z.infer<typeof Copy>;
export type CopyPart = Copy["part"];
export type CopyOf<Part extends CopyPart> = Extract<Copy, { part: Part }>;
export type AcademyCopy = { readonly [Part in CopyPart]: CopyOf<Part> };

/** In the order of the pages. */
export const copyParts = [
  "sections",
  "hero",
  "example",
  "topics",
  "instructor",
  "testimonials",
  "materials",
  "pricing",
  "questions",
  "contact",
  "footer",
  "terms",
  "privacy",
] as const satisfies readonly CopyPart[];

const lastUpdated = z.iso.date().describe("The day on which it was published");

/** The copy as pages show it, without removed claims. */
export const CopyOnPages = z
  .object({
    sections: z.array(LandingSection).describe("Ids of the sections shown on the landing page, in order"),
    hero: HeroCopy,
    example: ExampleCopy,
    topics: TopicsCopy,
    instructor: InstructorCopy.nullable(),
    testimonials: TestimonialsCopy,
    materials: MaterialsCopy.extend({
      materials: z.array(z.object({ title: z.string(), detail: z.string(), since: z.string().nullable() })),
    }),
    pricing: PricingCopy.extend({ notes: z.array(z.object({ title: z.string(), text: z.string() })) }),
    questions: QuestionsCopy.extend({
      questions: z.array(z.object({ id, question: z.string(), answer: z.string() })),
    }),
    contact: ContactCopy,
    terms: TermsCopy.extend({ lastUpdated }),
    privacy: PrivacyCopy.extend({ lastUpdated }),
  })
  .meta({ id: "CopyOnPages" });
export type CopyOnPages = z.infer<typeof CopyOnPages>;

export const getCopy = endpoint({
  method: "GET",
  path: "/api/copy",
  summary: "The academy's own words, as they stand on its pages now; open to everyone",
  reply: CopyOnPages,
});
