import type { ReactNode } from "react";
import type { AcademyContent } from "#contract/admin/content.ts";
import { type Copy, type CopyOf, type CopyPart, type TopicPicture, topicPictures } from "#contract/copy.ts";
import { Field, Select, Textarea } from "#ui/controls/field.tsx";
import { latest } from "../content/items.ts";
import { Availability, claimHint, WithoutClaim } from "./claim-fields.tsx";
import { Entries, Line, Switch, type Written } from "./written.tsx";

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
    <Line in={copy} field="title" label="Heading" max={80} />
    <Line in={copy} field="lead" label="Sentence beside the heading" max={240} rows={2} />
  </>
);

/** The form fields for each part of the pages' texts. */
const fieldsOf: { readonly [Part in CopyPart]: FieldsOf<Part> } = {
  hero: (copy) => (
    <>
      <Line
        in={copy}
        field="eyebrow"
        label="Line above the headline"
        hint="Also the page’s title in searches."
        max={80}
      />
      <Line in={copy} field="headline" label="Headline" max={90} />
      <Line
        in={copy}
        field="headlineTag"
        label="Words of the headline on a tag"
        hint="As they stand in it. Empty: none."
        max={40}
        isOptional
      />
      <Line in={copy} field="subline" label="Below the headline" hint="Also shown by searches." max={400} rows={3} />
      <div className="grid gap-5 sm:grid-cols-2">
        <Line in={copy} field="primaryAction" label="Button to the plans" max={30} />
        <Line in={copy} field="secondaryAction" label="Button to the free lessons" max={30} />
      </div>
      <Line in={copy} field="assurance" label="After the lowest price" max={120} />
      <Switch in={copy} field="hasPicture" label="A drawing of parcels below, on wide screens" />
      <Line in={copy} field="freeVideosTitle" label="Heading of the free lessons" max={60} />
      <Line in={copy} field="freeVideosNote" label="Beside it" max={160} />
      <Entries
        in={copy}
        field="trust"
        title="Strip below the first screen"
        what="figure"
        most={3}
        empty={{ value: "", label: "" }}
        titleOf={({ value, label }) => `${value} ${label}`.trim()}
      >
        {(figure) => (
          <>
            <Line in={figure} field="value" label="Figure" max={12} />
            <Line in={figure} field="label" label="What it counts" hint={claimHint} max={50} />
          </>
        )}
      </Entries>
    </>
  ),
  example: (copy) => (
    <>
      <Switch in={copy} field="isShown" label="Shown on the landing page" />
      {heading(copy)}
      <Line in={copy} field="action" label="Link to the free lessons" max={80} />
      <div className="grid items-end gap-5 sm:grid-cols-2">
        <Line in={copy} field="leftLabel" label="First tag, what it is" max={30} />
        <Line in={copy} field="leftValue" label="First tag" max={12} />
        <Line in={copy} field="rightLabel" label="Second tag, what it is" max={30} />
        <Line in={copy} field="rightValue" label="Second tag" max={12} />
      </div>
      <Line in={copy} field="item" label="What the sum is about" max={60} />
      <Entries
        in={copy}
        field="lines"
        title="Lines of the sum"
        what="line"
        least={1}
        most={8}
        empty={{ what: "", amount: "" }}
        titleOf={({ what }) => what}
      >
        {(line) => (
          <>
            <Line in={line} field="what" label="What" max={40} />
            <Line in={line} field="amount" label="Amount" max={12} />
          </>
        )}
      </Entries>
      <div className="grid items-end gap-5 sm:grid-cols-2">
        <Line in={copy} field="resultLabel" label="Last line, what it is" max={40} />
        <Line in={copy} field="result" label="Result" max={12} />
      </div>
      <Line in={copy} field="note" label="Below the sum" max={240} rows={2} />
    </>
  ),
  topics: (copy, content) => (
    <>
      {heading(copy)}
      <Entries
        in={copy}
        field="topics"
        title="Skills"
        what="skill"
        least={1}
        most={12}
        empty={{ title: "", sentence: "", moduleId: null, picture: null }}
        titleOf={({ title }) => title}
      >
        {(topic) => (
          <>
            <Line in={topic} field="title" label="Skill" max={40} />
            <Line in={topic} field="sentence" label="In a sentence" max={240} rows={2} />
            <Field label="Module" hint="The page says its number, and whether it is coming soon.">
              <Select
                value={topic.value.moduleId ?? ""}
                onChange={({ target }) => topic.change({ moduleId: target.value || null })}
              >
                <option value="">None</option>
                {content.modules.map((module) => (
                  <option key={module.id} value={module.id}>
                    {latest(module).title}
                  </option>
                ))}
              </Select>
            </Field>
            <Field label="Drawing" hint="Drawings of the demo’s subject; without one the skill’s number stands there.">
              <Select
                value={topic.value.picture ?? ""}
                onChange={({ target }) => topic.change({ picture: (target.value || null) as TopicPicture | null })}
              >
                <option value="">None</option>
                {topicPictures.map((picture) => (
                  <option key={picture} value={picture}>
                    {drawingNames[picture]}
                  </option>
                ))}
              </Select>
            </Field>
          </>
        )}
      </Entries>
      <Line in={copy} field="curriculumTitle" label="Heading of the list of lessons" max={80} />
      <Line in={copy} field="curriculumLead" label="Sentence beside it" max={240} rows={2} />
    </>
  ),
  instructor: (copy) => (
    <>
      {heading(copy)}
      <Line in={copy} field="name" label="Name" max={60} />
      <Line in={copy} field="role" label="What they do" max={80} />
      <Line in={copy} field="bio" label="About them" hint={claimHint} max={3000} rows={8} />
      <Line in={copy} field="quote" label="In their own words" hint="The last sentence is marked." max={300} rows={2} />
    </>
  ),
  testimonials: (copy) => (
    <>
      {heading(copy)}
      <Entries
        in={copy}
        field="testimonials"
        title="Reviews"
        what="review"
        most={24}
        empty={{ name: "", detail: "", quote: "" }}
        titleOf={({ name }) => name}
      >
        {(review) => (
          <>
            <Line in={review} field="name" label="Who" max={60} />
            <Line in={review} field="detail" label="What they do" max={100} />
            <Line
              in={review}
              field="quote"
              label="What they say"
              hint={`Ask for written permission. ${claimHint}`}
              max={600}
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
      <Switch in={copy} field="hasPicture" label="A drawing of an open parcel beside it, on wide screens" />
      <Line in={copy} field="label" label="Words at the top of the slip" max={40} />
      <Entries
        in={copy}
        field="materials"
        title="What is included"
        what="line"
        least={1}
        most={12}
        empty={{ title: "", detail: "", availability: null }}
        titleOf={({ title }) => title}
      >
        {(material) => (
          <>
            <Line in={material} field="title" label="What" max={40} />
            <Line in={material} field="detail" label="About it" max={240} rows={2} />
            <Availability material={material} />
          </>
        )}
      </Entries>
    </>
  ),
  pricing: (copy) => (
    <>
      {heading(copy)}
      <Entries
        in={copy}
        field="notes"
        title="Notes below the plans"
        what="note"
        most={6}
        empty={{ title: "", text: "", claim: null }}
        titleOf={({ title }) => title}
      >
        {(note) => (
          <>
            <Line in={note} field="title" label="Note" max={80} />
            <Line in={note} field="text" label="About it" max={300} rows={3} />
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
        <Line in={copy} field="askQuestion" label="Before the link to the contact page" max={80} />
        <Line in={copy} field="askAction" label="The link" max={40} />
      </div>
      <Entries
        in={copy}
        field="questions"
        title="Questions"
        what="question"
        least={1}
        most={30}
        empty={{ question: "", answer: "", claim: null }}
        titleOf={({ question }) => question}
      >
        {(entry) => (
          <>
            <Line in={entry} field="question" label="Question" max={160} />
            <Line in={entry} field="answer" label="Answer" max={1500} rows={5} />
            <WithoutClaim entry={entry} label="The answer without it" />
          </>
        )}
      </Entries>
    </>
  ),
  contact: (copy) => (
    <>
      <Line in={copy} field="headline" label="Headline" max={80} />
      <Line in={copy} field="lead" label="Below the headline" max={240} rows={2} />
      <Line in={copy} field="description" label="Shown by searches" max={240} rows={2} />
      <Topics copy={copy} field="support" title="Support" />
      <Line in={copy} field="programTitle" label="Heading above the communities" max={60} />
      <Line in={copy} field="programText" label="About the communities" max={400} rows={3} />
      <Topics copy={copy} field="inquiries" title="General inquiries" />
      <Line in={copy} field="inquiriesLead" label="Sentence above the inquiries" max={160} />
      <Line
        in={copy}
        field="refundText"
        label="Refund policy"
        hint="How many days is a setting: write {refundDays}."
        max={800}
        rows={4}
      />
      <Line in={copy} field="refundHow" label="How to ask for a refund" max={400} rows={2} />
      <Entries
        in={copy}
        field="times"
        title="Response times"
        what="line"
        least={1}
        most={8}
        empty={{ about: "", within: "" }}
        titleOf={({ about }) => about}
      >
        {(time) => (
          <>
            <Line in={time} field="about" label="What" max={60} />
            <Line in={time} field="within" label="When it is answered" max={60} />
          </>
        )}
      </Entries>
    </>
  ),
  footer: (copy) => (
    <>
      <Line in={copy} field="tagline" label="Motto" max={80} />
      <Line in={copy} field="about" label="About the academy" hint="Empty: nothing." max={240} rows={2} isOptional />
      <Line
        in={copy}
        field="independence"
        label="On whom it does not depend"
        hint="Trademarks of others, for instance. Empty: nothing."
        max={400}
        rows={3}
        isOptional
      />
      <Line in={copy} field="resultsTitle" label="Heading of the disclaimer" max={60} />
      <Line in={copy} field="results" label="Disclaimer" hint="Also on the contact page." max={1000} rows={5} />
      <Line in={copy} field="copyright" label="Copyright" hint="{year} becomes the year." max={120} />
    </>
  ),
  terms: (copy) => <LegalFields copy={copy as unknown as Written<LegalText>} />,
  privacy: (copy) => <LegalFields copy={copy as unknown as Written<LegalText>} hasChoices />,
};

export function PartFields({ copy, content }: { copy: Written<Copy>; content: AcademyContent }) {
  return fieldsOf[copy.value.part](copy as never, content);
}

type ContactTopics = "support" | "inquiries";

function Topics({ copy, field, title }: { copy: Written<CopyOf<"contact">>; field: ContactTopics; title: string }) {
  return (
    <Entries
      in={copy}
      field={field}
      title={title}
      what="topic"
      least={1}
      most={6}
      empty={{ title: "", text: "", include: null }}
      titleOf={(topic) => topic.title}
    >
      {(topic) => (
        <>
          <Line in={topic} field="title" label="Topic" max={60} />
          <Line in={topic} field="text" label="What belongs to it" max={400} rows={3} />
          <Line in={topic} field="include" label="What to tell you" hint="Empty: nothing." max={240} isOptional />
        </>
      )}
    </Entries>
  );
}

type LegalText = Omit<CopyOf<"terms">, "part">;

function LegalFields({ copy, hasChoices = false }: { copy: Written<LegalText>; hasChoices?: boolean }) {
  const name = copy.nameOf("inShort");
  return (
    <>
      <Line in={copy} field="title" label="Title" max={80} />
      <Line in={copy} field="description" label="Shown by searches" max={300} rows={2} />
      <Field label="In short" hint="A line each, at most 10. Empty: none." name={name} error={copy.errorOf(name)}>
        <Textarea
          rows={4}
          value={copy.value.inShort.join("\n")}
          onChange={({ target }) => copy.change({ inShort: target.value ? target.value.split("\n") : [] })}
        />
      </Field>
      <Entries
        in={copy}
        field="sections"
        title="Sections"
        what="section"
        least={1}
        most={60}
        empty={{ title: "", text: "", privacyChoices: false }}
        titleOf={({ title }) => title}
      >
        {(section) => (
          <>
            <Line in={section} field="title" label="Heading" max={120} />
            <Line in={section} field="text" label="Text" max={12_000} rows={12} />
            {hasChoices && (
              <Switch
                in={section}
                field="privacyChoices"
                label="Ends with the button for privacy choices, where visits are measured"
              />
            )}
          </>
        )}
      </Entries>
    </>
  );
}
