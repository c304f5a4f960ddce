/**
 * Who we are and how to reach us. Everything here is the owner's to replace before the academy goes live: addresses
 * under academy.test and numbers with 555-01 are reserved for examples and lead nobody anywhere.
 */
export const siteName = "Academy";

export const supportEmail = "support@academy.test";

export interface Phone {
  /** As people read it. */
  shown: string;
  /** As a phone dials it, for `tel:` links. */
  number: string;
}

export const supportPhone: Phone = { shown: "(202) 555-0142", number: "+12025550142" };

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
    detail: "The marketplace's own list of what it takes from a sale.",
    url: "https://sell.amazon.com/pricing",
  },
];

/** What a link to us shows where it is shared. */
export const socialImage = {
  path: "/social.png",
  width: 1200,
  height: 630,
  alt: "A yellow price tag beside the words: Every price tag is a question. Academy, retail arbitrage taught from the shelf up.",
} as const;

/**
 * Stands in the built pages wherever an absolute address is needed, as PUBLIC_URL is not known before the server
 * starts; the server puts that in its place. The top-level domain is reserved, so a forgotten one leads nowhere.
 */
export const placeholderOrigin = "https://academy.invalid";
