import { Instructor, Testimonials } from "./people.tsx";
import { Sum } from "./sum.tsx";
import { Materials, Topics } from "./what-you-learn.tsx";

/** From one sum to the packing slip: what one reads before one asks for the price. */
export function BeforePricing() {
  return (
    <>
      <Sum />
      <Topics />
      <Instructor />
      <Testimonials />
      <Materials />
    </>
  );
}
