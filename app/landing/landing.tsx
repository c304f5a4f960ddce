import { hero } from "#content/landing.ts";
import { SitePage } from "../site-page.tsx";
import { useArrival } from "./arrival.ts";
import { EnrollButton } from "./enroll-button.tsx";
import { Hero } from "./hero.tsx";
import { Instructor, Testimonials } from "./people.tsx";
import { Pricing } from "./pricing.tsx";
import { Questions } from "./questions.tsx";
import { Materials, Topics } from "./what-you-learn.tsx";

export default function Landing() {
  const markedTier = useArrival();
  return (
    <SitePage description={hero.subline} className="overflow-x-clip">
      <Hero />
      <Topics />
      <Instructor />
      <Testimonials />
      <Materials />
      <Pricing markedTier={markedTier} />
      <Questions />
      <EnrollButton />
    </SitePage>
  );
}
