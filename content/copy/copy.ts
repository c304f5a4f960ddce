import { contactCopy } from "./contact.ts";
import { landingCopy } from "./landing.ts";
import { legalCopy } from "./legal.ts";

const footer = {
  part: "footer" as const,
  tagline: "Read the tag. Do the sum. Ship the box.",
  /** `{year}` is replaced by the current year. */
  copyright: "© {year} {academy}. All rights reserved.",
  about: "{academy} teaches retail arbitrage to people who have never sold anything online.",
  independence:
    "{academy} is an independent training company. It is not affiliated with, endorsed by or sponsored by Amazon. Amazon and FBA are trademarks of Amazon.com, Inc. or its affiliates.",
  resultsTitle: "About results",
  results:
    "This is training and not a promise of income. What you earn depends on your time, your capital, the stores near you, marketplace rules and prices that change every day. Examples use round numbers to show a method. Testimonials describe one person’s experience. You can lose money buying inventory; spend only what you can afford to lose, and ask a qualified adviser about tax and legal questions.",
};

/** The built-in texts, until the owner publishes others. */
export const builtInCopy = { ...landingCopy, contact: contactCopy, footer, ...legalCopy };
