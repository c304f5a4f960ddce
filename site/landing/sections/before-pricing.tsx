import type { PageFacts } from "#contract/page-facts.ts";
import { Curriculum } from "./curriculum.tsx";
import { Instructor, Testimonials } from "./people.tsx";
import { Sum } from "./sum.tsx";
import { Materials, Topics } from "./what-you-learn.tsx";

/** From one sum to the packing slip: what one reads before one asks for the price. */
export function BeforePricing({ facts: { claims, catalogue } }: { facts: PageFacts }) {
  return (
    <>
      <Sum />
      <Topics />
      <Curriculum catalogue={catalogue} />
      {claims.hasInstructor && <Instructor />}
      {claims.hasReviews && <Testimonials claims={claims} />}
      <Materials claims={claims} />
    </>
  );
}
