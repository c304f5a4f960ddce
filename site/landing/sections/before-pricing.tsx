import type { PageFacts } from "#contract/page-facts.ts";
import { Curriculum } from "./curriculum.tsx";
import { Inside } from "./inside.tsx";
import { Instructor, Testimonials } from "./people.tsx";
import { Sum } from "./sum.tsx";
import { Materials, Topics } from "./what-you-learn.tsx";

/** The sections between the hero and the prices. */
export function BeforePricing({ facts }: { facts: PageFacts }) {
  const { copy, catalogue } = facts;
  return (
    <>
      {copy.example.isShown && <Sum sum={copy.example} />}
      <Topics copy={copy.topics} catalogue={catalogue} />
      <Inside facts={facts} />
      <Curriculum title={copy.topics.curriculumTitle} lead={copy.topics.curriculumLead} catalogue={catalogue} />
      {copy.instructor && <Instructor instructor={copy.instructor} />}
      {copy.testimonials.testimonials.length > 0 && <Testimonials copy={copy.testimonials} />}
      <Materials copy={copy.materials} />
    </>
  );
}
