/**
 * Something stated about people or results that the software cannot check: before the academy goes live the owner backs it
 * with a record at /admin/claims, or replaces it, or takes it off there.
 */
export interface Claim {
  /** The id by which it is listed, backed and taken off. It stays when the words change. */
  claim: string;
}

export interface Hero {
  eyebrow: string;
  headline: string;
  subline: string;
  primaryAction: string;
  secondaryAction: string;
  /** Stands after the lowest price. */
  assurance: string;
  freeVideosTitle: string;
  freeVideosNote: string;
  /** Lessons of the catalogue that play here without sign-in, as long as they are free previews; others take their place. */
  freeLessonIds: string[];
}

export interface SectionHeading {
  title: string;
  lead: string;
}

export const hero: Hero = {
  eyebrow: "Retail arbitrage, taught from the shelf up",
  headline: "Every price tag is a question.",
  subline:
    "A video course for people who have never sold online. Learn to tell, in the aisle with a phone, which bargains sell for more on Amazon. Then prep, box and ship them.",
  primaryAction: "See the plans",
  secondaryAction: "Watch a free lesson",
  assurance: "7-day refund on a first purchase.",
  freeVideosTitle: "Free training videos",
  freeVideosNote: "No account and no card. Press play, with sound or with captions.",
  freeLessonIds: ["lesson-1-1", "lesson-2-1"],
};

export const pricingHeading: SectionHeading = {
  title: "Three tags, one course",
  lead: "Pay by the month, by the year, or once. The lessons are the same; what differs is how far they go and how much coaching comes with them.",
};
