import { Entries } from "#app/editing/entries.tsx";
import { Fields, type Labels } from "#app/editing/fields.tsx";
import type { Written } from "#app/editing/written.ts";
import type { AcademyContent } from "#contract/admin/content.ts";
import type { Copy, CopyOf, CopyPart, LandingSection, TopicPicture } from "#contract/copy.ts";
import { Checkbox } from "#ui/controls/field.tsx";
import { latest } from "../content/items.ts";
import { partTitles } from "../content/part-titles.ts";
import { Availability, WithoutClaim } from "./claim-fields.tsx";
import { pictureLabel } from "./picture-fields.tsx";

type LabelsOf<Part extends CopyPart> = Labels<CopyOf<Part>>;

const claimHint = "This is a claim. You keep its proof under Claims.";

const drawingNames: Readonly<Record<TopicPicture, string>> = {
  sum: "A parcel with a price, and a sum",
  scanner: "A phone over a label",
  history: "A price over ninety days",
  bag: "A bag and a roll of labels",
  box: "A sealed parcel",
  list: "A list on a board",
};

const sectionTitles: Readonly<Record<LandingSection, string>> = {
  ...partTitles,
  topics: "Skills",
  inside: "A look inside",
  curriculum: "Lessons",
  pricing: "Prices",
};

const sectionList = {
  title: "Sections below the first screen",
  hint: "In the order of the landing page. Links to a section that is off disappear from all pages.",
  what: "section",
  titleOf: ({ id }: { id: LandingSection }) => sectionTitles[id],
};

const heading = { title: "Heading", lead: "Sentence beside the heading" };

const topics = {
  what: "topic",
  labels: {
    title: "Topic",
    text: "What belongs to it",
    include: { label: "What to tell you", hint: "Leave empty for none.", rows: 1 },
  },
};

const legal: Labels<CopyOf<"terms" | "privacy">> = {
  title: "Title",
  description: "Shown by searches",
  inShort: { label: "In short", hint: "Leave empty for none." },
};
const sections = { title: "Sections", what: "section", labels: { title: "Heading", text: "Text" } };

/** The labels of each part of the pages' texts. */
const labelsOf = ({ modules }: AcademyContent): { readonly [Part in CopyPart]: LabelsOf<Part> } => ({
  sections: { sections: { ...sectionList, labels: { isShown: "On the page" } } },
  hero: {
    eyebrow: { label: "Line above the headline", hint: "Also the page’s title in searches." },
    headline: "Headline",
    headlineTag: {
      label: "Words of the headline on a tag",
      hint: "Exactly as in the headline. Leave empty for none.",
    },
    subline: { label: "Below the headline", hint: "Also shown by searches." },
    primaryAction: { label: "Button to the plans", isHalf: true },
    secondaryAction: { label: "Button to the free lessons", isHalf: true },
    assurance: "After the lowest price",
    picture: pictureLabel("Picture", "figure", "Shown below the buttons, in place of the drawing."),
    hasPicture: "A drawing of parcels below, on wide screens",
    freeVideosTitle: "Heading of the free lessons",
    freeVideosNote: "Beside it",
    trust: {
      title: "Strip below the first screen",
      what: "figure",
      titleOf: ({ value, label }) => `${value} ${label}`.trim(),
      labels: { value: "Figure", label: { label: "What it counts", hint: claimHint } },
    },
  },
  example: {
    ...heading,
    action: "Link to the free lessons",
    leftLabel: { label: "First tag, what it is", isHalf: true },
    leftValue: { label: "First tag", isHalf: true },
    rightLabel: { label: "Second tag, what it is", isHalf: true },
    rightValue: { label: "Second tag", isHalf: true },
    item: "What the sum is about",
    lines: { title: "Lines of the sum", what: "line", labels: { what: "What", amount: "Amount" } },
    resultLabel: { label: "Last line, what it is", isHalf: true },
    result: { label: "Result", isHalf: true },
    note: "Below the sum",
  },
  topics: {
    ...heading,
    topics: {
      title: "Skills",
      what: "skill",
      labels: {
        title: "Skill",
        sentence: "In a sentence",
        moduleId: {
          label: "Module",
          hint: "The page shows its number, and whether it is coming soon.",
          options: [["", "None"], ...modules.map((one) => [one.id, latest(one).title] as const)],
        },
        picture: {
          label: "Drawing",
          hint: "Drawings of the demo’s subject. Without one, the page shows the skill’s number.",
          options: [["", "None"], ...Object.entries(drawingNames)],
        },
      },
    },
    curriculumTitle: "Heading of the list of lessons",
    curriculumLead: "Sentence beside it",
  },
  instructor: {
    ...heading,
    name: "Name",
    role: "What they do",
    picture: pictureLabel("Picture of the instructor", "portrait", "Leave empty to show a drawing."),
    bio: { label: "About them", hint: claimHint },
    quote: { label: "In their own words", hint: "The last sentence is marked." },
  },
  testimonials: {
    ...heading,
    testimonials: {
      title: "Reviews",
      what: "review",
      labels: {
        name: "Who",
        detail: "What they do",
        quote: { label: "What they say", hint: `Ask for written permission. ${claimHint}` },
        picture: pictureLabel("Picture", "portrait", "Ask for written permission. Leave empty to show none."),
      },
    },
  },
  materials: {
    ...heading,
    hasPicture: "A drawing of an open parcel beside it, on wide screens",
    label: "Words at the top of the slip",
    materials: {
      title: "What is included",
      what: "line",
      labels: {
        title: "What",
        detail: "About it",
        availability: {
          labels: { since: "Available since", withoutClaim: "About it without the month" },
          field: (line) => <Availability material={line} />,
        },
      },
    },
  },
  pricing: {
    ...heading,
    notes: {
      title: "Notes below the plans",
      what: "note",
      labels: {
        title: "Note",
        text: "About it",
        claim: {
          labels: { withoutClaim: "The note without it" },
          field: (note) => <WithoutClaim entry={note} label="The note without it" />,
        },
      },
    },
  },
  questions: {
    ...heading,
    askQuestion: { label: "Before the link to the contact page", isHalf: true },
    askAction: { label: "The link", isHalf: true },
    questions: {
      title: "Questions",
      what: "question",
      labels: {
        question: "Question",
        answer: "Answer",
        claim: {
          labels: { withoutClaim: "The answer without it" },
          field: (entry) => <WithoutClaim entry={entry} label="The answer without it" />,
        },
      },
    },
  },
  contact: {
    headline: "Headline",
    lead: "Below the headline",
    description: "Shown by searches",
    support: { title: "Support", ...topics },
    programTitle: "Heading above the communities",
    programText: "About the communities",
    inquiries: { title: "General inquiries", ...topics },
    inquiriesLead: "Sentence above the inquiries",
    refundText: {
      label: "Refund policy",
      hint: "Write {refundDays} for the number of days, which is a setting.",
    },
    refundHow: "How to ask for a refund",
    times: { title: "Response times", what: "line", labels: { about: "What", within: "When it is answered" } },
  },
  footer: {
    tagline: "Motto",
    about: { label: "About the academy", hint: "Leave empty for none." },
    independence: {
      label: "Who it is independent of",
      hint: "For example, trademarks of others. Leave empty for none.",
    },
    resultsTitle: "Heading of the disclaimer",
    results: { label: "Disclaimer", hint: "Also on the contact page." },
    copyright: { label: "Copyright", hint: "{year} becomes the year." },
  },
  terms: { ...legal, sections },
  privacy: {
    ...legal,
    sections: {
      ...sections,
      labels: {
        ...sections.labels,
        privacyChoices: "Ends with the button for privacy choices, where visits are measured",
      },
    },
  },
});

export function partLabels(content: AcademyContent, part: CopyPart): Labels<Copy> {
  return labelsOf(content)[part] as Labels<Copy>;
}

export function PartFields({ copy, content }: { copy: Written<Copy>; content: AcademyContent }) {
  if (copy.value.part === "sections") return <SectionFields form={copy as Written<CopyOf<"sections">>} />;
  return <Fields form={copy} labels={partLabels(content, copy.value.part)} />;
}

function SectionFields({ form }: { form: Written<CopyOf<"sections">> }) {
  return (
    <Entries form={form} name="sections" {...sectionList} isFlat>
      {({ value: { id, isShown }, change }) => (
        <Checkbox
          label={id === "pricing" ? "Prices (always shown, because students buy there)" : sectionTitles[id]}
          checked={isShown}
          disabled={id === "pricing"}
          onChange={({ target }) => change({ isShown: target.checked })}
        />
      )}
    </Entries>
  );
}
