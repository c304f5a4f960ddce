import type { ReactNode } from "react";
import { Entries } from "#app/editing/entries.tsx";
import { FormField } from "#app/editing/form-field.tsx";
import type { Written } from "#app/editing/written.ts";
import type { AcademyContent } from "#contract/admin/content.ts";
import type { Copy, CopyOf, CopyPart, TopicPicture } from "#contract/copy.ts";
import { latest } from "../content/items.ts";
import { Availability, claimHint, WithoutClaim } from "./claim-fields.tsx";

type FieldsOf<Part extends CopyPart> = (copy: Written<CopyOf<Part>>, content: AcademyContent) => ReactNode;

const drawingNames: Readonly<Record<TopicPicture, string>> = {
  sum: "A parcel with a price, and a sum",
  scanner: "A phone over a label",
  history: "A price over ninety days",
  bag: "A bag and a roll of labels",
  box: "A sealed parcel",
  list: "A list on a board",
};

const heading = (copy: Written<{ title: string; lead: string }>) => (
  <>
    <FormField form={copy} name="title" label="Heading" />
    <FormField form={copy} name="lead" label="Sentence beside the heading" rows={2} />
  </>
);

/** The form fields for each part of the pages' texts. */
const fieldsOf: { readonly [Part in CopyPart]: FieldsOf<Part> } = {
  hero: (copy) => (
    <>
      <FormField form={copy} name="eyebrow" label="Line above the headline" hint="Also the page’s title in searches." />
      <FormField form={copy} name="headline" label="Headline" />
      <FormField
        form={copy}
        name="headlineTag"
        label="Words of the headline on a tag"
        hint="Exactly as in the headline. Leave empty for none."
      />
      <FormField form={copy} name="subline" label="Below the headline" hint="Also shown by searches." rows={3} />
      <div className="grid gap-5 sm:grid-cols-2">
        <FormField form={copy} name="primaryAction" label="Button to the plans" />
        <FormField form={copy} name="secondaryAction" label="Button to the free lessons" />
      </div>
      <FormField form={copy} name="assurance" label="After the lowest price" />
      <FormField form={copy} name="hasPicture" label="A drawing of parcels below, on wide screens" />
      <FormField form={copy} name="freeVideosTitle" label="Heading of the free lessons" />
      <FormField form={copy} name="freeVideosNote" label="Beside it" />
      <Entries
        form={copy}
        name="trust"
        title="Strip below the first screen"
        what="figure"
        titleOf={({ value, label }) => `${value} ${label}`.trim()}
      >
        {(figure) => (
          <>
            <FormField form={figure} name="value" label="Figure" />
            <FormField form={figure} name="label" label="What it counts" hint={claimHint} />
          </>
        )}
      </Entries>
    </>
  ),
  example: (copy) => (
    <>
      <FormField form={copy} name="isShown" label="Shown on the landing page" />
      {heading(copy)}
      <FormField form={copy} name="action" label="Link to the free lessons" />
      <div className="grid items-end gap-5 sm:grid-cols-2">
        <FormField form={copy} name="leftLabel" label="First tag, what it is" />
        <FormField form={copy} name="leftValue" label="First tag" />
        <FormField form={copy} name="rightLabel" label="Second tag, what it is" />
        <FormField form={copy} name="rightValue" label="Second tag" />
      </div>
      <FormField form={copy} name="item" label="What the sum is about" />
      <Entries form={copy} name="lines" title="Lines of the sum" what="line">
        {(line) => (
          <>
            <FormField form={line} name="what" label="What" />
            <FormField form={line} name="amount" label="Amount" />
          </>
        )}
      </Entries>
      <div className="grid items-end gap-5 sm:grid-cols-2">
        <FormField form={copy} name="resultLabel" label="Last line, what it is" />
        <FormField form={copy} name="result" label="Result" />
      </div>
      <FormField form={copy} name="note" label="Below the sum" rows={2} />
    </>
  ),
  topics: (copy, content) => (
    <>
      {heading(copy)}
      <Entries form={copy} name="topics" title="Skills" what="skill">
        {(topic) => (
          <>
            <FormField form={topic} name="title" label="Skill" />
            <FormField form={topic} name="sentence" label="In a sentence" rows={2} />
            <FormField
              form={topic}
              name="moduleId"
              label="Module"
              hint="The page shows its number, and whether it is coming soon."
              options={[["", "None"], ...content.modules.map((one) => [one.id, latest(one).title] as const)]}
            />
            <FormField
              form={topic}
              name="picture"
              label="Drawing"
              hint="Drawings of the demo’s subject. Without one, the page shows the skill’s number."
              options={[["", "None"], ...Object.entries(drawingNames)]}
            />
          </>
        )}
      </Entries>
      <FormField form={copy} name="curriculumTitle" label="Heading of the list of lessons" />
      <FormField form={copy} name="curriculumLead" label="Sentence beside it" rows={2} />
    </>
  ),
  instructor: (copy) => (
    <>
      {heading(copy)}
      <FormField form={copy} name="name" label="Name" />
      <FormField form={copy} name="role" label="What they do" />
      <FormField form={copy} name="bio" label="About them" hint={claimHint} rows={8} />
      <FormField form={copy} name="quote" label="In their own words" hint="The last sentence is marked." rows={2} />
    </>
  ),
  testimonials: (copy) => (
    <>
      {heading(copy)}
      <Entries form={copy} name="testimonials" title="Reviews" what="review">
        {(review) => (
          <>
            <FormField form={review} name="name" label="Who" />
            <FormField form={review} name="detail" label="What they do" />
            <FormField
              form={review}
              name="quote"
              label="What they say"
              hint={`Ask for written permission. ${claimHint}`}
              rows={4}
            />
          </>
        )}
      </Entries>
    </>
  ),
  materials: (copy) => (
    <>
      {heading(copy)}
      <FormField form={copy} name="hasPicture" label="A drawing of an open parcel beside it, on wide screens" />
      <FormField form={copy} name="label" label="Words at the top of the slip" />
      <Entries form={copy} name="materials" title="What is included" what="line">
        {(material) => (
          <>
            <FormField form={material} name="title" label="What" />
            <FormField form={material} name="detail" label="About it" rows={2} />
            <Availability material={material} />
          </>
        )}
      </Entries>
    </>
  ),
  pricing: (copy) => (
    <>
      {heading(copy)}
      <Entries form={copy} name="notes" title="Notes below the plans" what="note">
        {(note) => (
          <>
            <FormField form={note} name="title" label="Note" />
            <FormField form={note} name="text" label="About it" rows={3} />
            <WithoutClaim entry={note} label="The note without it" />
          </>
        )}
      </Entries>
    </>
  ),
  questions: (copy) => (
    <>
      {heading(copy)}
      <div className="grid gap-5 sm:grid-cols-2">
        <FormField form={copy} name="askQuestion" label="Before the link to the contact page" />
        <FormField form={copy} name="askAction" label="The link" />
      </div>
      <Entries form={copy} name="questions" title="Questions" what="question">
        {(entry) => (
          <>
            <FormField form={entry} name="question" label="Question" />
            <FormField form={entry} name="answer" label="Answer" rows={5} />
            <WithoutClaim entry={entry} label="The answer without it" />
          </>
        )}
      </Entries>
    </>
  ),
  contact: (copy) => (
    <>
      <FormField form={copy} name="headline" label="Headline" />
      <FormField form={copy} name="lead" label="Below the headline" rows={2} />
      <FormField form={copy} name="description" label="Shown by searches" rows={2} />
      <Topics copy={copy} name="support" title="Support" />
      <FormField form={copy} name="programTitle" label="Heading above the communities" />
      <FormField form={copy} name="programText" label="About the communities" rows={3} />
      <Topics copy={copy} name="inquiries" title="General inquiries" />
      <FormField form={copy} name="inquiriesLead" label="Sentence above the inquiries" />
      <FormField
        form={copy}
        name="refundText"
        label="Refund policy"
        hint="Write {refundDays} for the number of days, which is a setting."
        rows={4}
      />
      <FormField form={copy} name="refundHow" label="How to ask for a refund" rows={2} />
      <Entries form={copy} name="times" title="Response times" what="line">
        {(time) => (
          <>
            <FormField form={time} name="about" label="What" />
            <FormField form={time} name="within" label="When it is answered" />
          </>
        )}
      </Entries>
    </>
  ),
  footer: (copy) => (
    <>
      <FormField form={copy} name="tagline" label="Motto" />
      <FormField form={copy} name="about" label="About the academy" hint="Leave empty for none." rows={2} />
      <FormField
        form={copy}
        name="independence"
        label="Who it is independent of"
        hint="For example, trademarks of others. Leave empty for none."
        rows={3}
      />
      <FormField form={copy} name="resultsTitle" label="Heading of the disclaimer" />
      <FormField form={copy} name="results" label="Disclaimer" hint="Also on the contact page." rows={5} />
      <FormField form={copy} name="copyright" label="Copyright" hint="{year} becomes the year." />
    </>
  ),
  terms: (copy) => <LegalFields copy={copy as unknown as Written<LegalText>} />,
  privacy: (copy) => <LegalFields copy={copy as unknown as Written<LegalText>} hasChoices />,
};

export function PartFields({ copy, content }: { copy: Written<Copy>; content: AcademyContent }) {
  return fieldsOf[copy.value.part](copy as never, content);
}

type ContactTopics = "support" | "inquiries";

function Topics({ copy, name, title }: { copy: Written<CopyOf<"contact">>; name: ContactTopics; title: string }) {
  return (
    <Entries form={copy} name={name} title={title} what="topic">
      {(topic) => (
        <>
          <FormField form={topic} name="title" label="Topic" />
          <FormField form={topic} name="text" label="What belongs to it" rows={3} />
          <FormField form={topic} name="include" label="What to tell you" hint="Leave empty for none." />
        </>
      )}
    </Entries>
  );
}

type LegalText = Omit<CopyOf<"terms">, "part">;

function LegalFields({ copy, hasChoices = false }: { copy: Written<LegalText>; hasChoices?: boolean }) {
  return (
    <>
      <FormField form={copy} name="title" label="Title" />
      <FormField form={copy} name="description" label="Shown by searches" rows={2} />
      <FormField
        form={copy}
        name="inShort"
        label="In short"
        hint="One sentence on each line, at most 10. Leave empty for none."
        rows={4}
      />
      <Entries form={copy} name="sections" title="Sections" what="section">
        {(section) => (
          <>
            <FormField form={section} name="title" label="Heading" />
            <FormField form={section} name="text" label="Text" rows={12} />
            {hasChoices && (
              <FormField
                form={section}
                name="privacyChoices"
                label="Ends with the button for privacy choices, where visits are measured"
              />
            )}
          </>
        )}
      </Entries>
    </>
  );
}
