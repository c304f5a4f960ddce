/**
 * Where students meet, and sites of others. Addresses under academy.test lead nobody anywhere: they are the owner's to
 * replace before the academy goes live.
 */
export interface Community {
  label: string;
  detail: string;
  url: string;
}

export const communities: Readonly<Record<"facebook" | "telegram", Community>> = {
  facebook: {
    label: "Student Facebook group",
    detail: "Finds, prep photos and questions, answered by students and coaches.",
    url: "https://facebook.academy.test/students",
  },
  telegram: {
    label: "Telegram chat",
    detail: "Short questions from the aisle, while you stand in front of the shelf.",
    url: "https://telegram.academy.test/students",
  },
};

/** Sites of others that the course works with; listed in the site map. */
export const externalResources: readonly Community[] = [
  communities.facebook,
  communities.telegram,
  {
    label: "Amazon Seller Central",
    detail: "Where your seller account, listings and shipments live.",
    url: "https://sellercentral.amazon.com",
  },
  {
    label: "Amazon selling fees",
    detail: "The marketplace’s own list of what it takes from a sale.",
    url: "https://sell.amazon.com/pricing",
  },
];
