import { Instructor, Testimonials } from "./people.tsx";
import { Materials, Topics } from "./what-you-learn.tsx";

/** From the shelf of topics to the packing slip: what one reads before one asks for the price. */
export default function BeforePricing() {
  return (
    <>
      <Topics />
      <Instructor />
      <Testimonials />
      <Materials />
    </>
  );
}
