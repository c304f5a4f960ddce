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

const claimHint = "This is a claim. Add its proof under Claims.";

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
    text: "Description",
    include: { label: "What to include in a message", hint: "Leave empty for none.", rows: 1 },
  },
};

const legal: Labels<CopyOf<"terms" | "privacy">> = {
  title: "Title",
  description: "Description for search engines",
  inShort: { label: "Summary", hint: "Leave empty for none." },
};
const sections = { title: "Sections", what: "section", labels: { title: "Heading", text: "Text" } };

/** The labels of each part of the pages' texts. */
const labelsOf = ({ modules }: AcademyContent): { readonly [Part in CopyPart]: LabelsOf<Part> } => ({
  sections: { sections: { ...sectionList, labels: { isShown: "On the page" } } },
  hero: {
    eyebrow: { label: "Line above the headline", hint: "Also the page title in search results." },
    headline: "Headline",
    headlineTag: {
      label: "Words of the headline to highlight",
      hint: "Exactly as in the headline. Leave empty for none.",
    },
    subline: { label: "Text below the headline", hint: "Also shown in search results." },
    primaryAction: { label: "Button to the plans", isHalf: true },
    secondaryAction: { label: "Button to the free lessons", isHalf: true },
    assurance: "Text after the lowest price",
    picture: pictureLabel("Picture", "figure", "Shown below the buttons, in place of the drawing."),
    hasPicture: "A drawing of parcels below, on wide screens",
    freeVideosTitle: "Heading of the free lessons",
    freeVideosNote: "Text beside that heading",
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
    leftLabel: { label: "First tag, label", isHalf: true },
    leftValue: { label: "First tag, amount", isHalf: true },
    rightLabel: { label: "Second tag, label", isHalf: true },
    rightValue: { label: "Second tag, amount", isHalf: true },
    item: "Title of the calculation",
    lines: { title: "Lines of the calculation", what: "line", labels: { what: "Description", amount: "Amount" } },
    resultLabel: { label: "Result, label", isHalf: true },
    result: { label: "Result, amount", isHalf: true },
    note: "Note below the calculation",
  },
  topics: {
    ...heading,
    topics: {
      title: "Skills",
      what: "skill",
      labels: {
        title: "Skill",
        sentence: "Description",
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
    curriculumLead: "Sentence beside that heading",
  },
  instructor: {
    ...heading,
    name: "Name",
    role: "Role",
    picture: pictureLabel("Picture of the instructor", "portrait", "Leave empty to show a drawing."),
    bio: { label: "Bio", hint: claimHint },
    quote: { label: "Quote", hint: "We highlight the last sentence." },
  },
  testimonials: {
    ...heading,
    testimonials: {
      title: "Reviews",
      what: "review",
      labels: {
        name: "Name",
        detail: "About the reviewer",
        quote: { label: "Quote", hint: `Ask for written permission. ${claimHint}` },
        picture: pictureLabel("Picture", "portrait", "Ask for written permission. Leave empty to show none."),
      },
    },
  },
  materials: {
    ...heading,
    hasPicture: "A drawing of an open parcel beside it, on wide screens",
    label: "Text at the top of the list",
    materials: {
      title: "What is included",
      what: "line",
      labels: {
        title: "Title",
        detail: "Description",
        availability: {
          labels: { since: "Available since", withoutClaim: "Description without the month" },
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
        title: "Title",
        text: "Text",
        claim: {
          labels: { withoutClaim: "Text without the claim" },
          field: (note) => <WithoutClaim entry={note} label="Text without the claim" />,
        },
      },
    },
  },
  questions: {
    ...heading,
    askQuestion: { label: "Text before the contact link", isHalf: true },
    askAction: { label: "Contact link", isHalf: true },
    questions: {
      title: "Questions",
      what: "question",
      labels: {
        question: "Question",
        answer: "Answer",
        claim: {
          labels: { withoutClaim: "Answer without the claim" },
          field: (entry) => <WithoutClaim entry={entry} label="Answer without the claim" />,
        },
      },
    },
  },
  contact: {
    headline: "Headline",
    lead: "Text below the headline",
    description: "Description for search engines",
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
    times: { title: "Response times", what: "line", labels: { about: "Topic", within: "Response time" } },
  },
  footer: {
    tagline: "Tagline",
    about: { label: "About the academy", hint: "Leave empty for none." },
    independence: {
      label: "Independence notice",
      hint: "For example, that you’re independent of the owners of trademarks. Leave empty for none.",
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
        privacyChoices: "Add the privacy choices button, if visits are measured",
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
