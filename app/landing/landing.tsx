import { lazy } from "react";
import { hero } from "#content/landing/landing.ts";
import { SitePage } from "../site/page.tsx";
import { Still } from "../ui/still.tsx";
import { useArrival } from "./arrival.ts";
import { EnrollButton } from "./enroll-button.tsx";
import { Hero } from "./hero/hero.tsx";
import { Pricing } from "./pricing/pricing.tsx";

const BeforePricing = lazy(() => import("./sections/before-pricing.tsx"));
const Questions = lazy(() => import("./sections/questions.tsx"));

export default function Landing() {
  const markedTier = useArrival();
  return (
    <SitePage description={hero.subline} className="landing overflow-x-clip">
      <Hero />
      <Still part={BeforePricing} />
      <Pricing markedTier={markedTier} />
      <Still part={Questions} />
      <EnrollButton />
    </SitePage>
  );
}
