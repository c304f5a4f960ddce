import type { ReactNode } from "react";
import type { LandingSection } from "#contract/copy.ts";
import type { PageFacts } from "#contract/page-facts.ts";
import { Curriculum } from "./curriculum.tsx";
import { Inside } from "./inside.tsx";
import { Instructor, Testimonials } from "./people.tsx";
import { Questions } from "./questions.tsx";
import { Sum } from "./sum.tsx";
import { Materials, Topics } from "./what-you-learn.tsx";

/** Not the prices, which need scripts. */
type StillSection = Exclude<LandingSection, "pricing">;

const sections: Readonly<Record<StillSection, (facts: PageFacts) => ReactNode>> = {
  example: ({ copy }) => <Sum sum={copy.example} />,
  topics: ({ copy, catalogue }) => <Topics copy={copy.topics} catalogue={catalogue} />,
  inside: (facts) => <Inside facts={facts} />,
  curriculum: ({ copy: { topics }, catalogue }) => (
    <Curriculum title={topics.curriculumTitle} lead={topics.curriculumLead} catalogue={catalogue} />
  ),
  instructor: ({ copy }) => copy.instructor && <Instructor instructor={copy.instructor} />,
  testimonials: ({ copy: { testimonials } }) =>
    testimonials.testimonials.length > 0 && <Testimonials copy={testimonials} />,
  materials: ({ copy }) => <Materials copy={copy.materials} />,
  questions: ({ copy }) => <Questions copy={copy.questions} />,
};

/** A section of the landing page below its first screen. Nothing while all its claims are removed. */
export function Section({ section, facts }: { section: StillSection; facts: PageFacts }) {
  return sections[section](facts);
}
