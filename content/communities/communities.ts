/**
 * The students' communities and external sites, until an administrator publishes others. URLs under academy.test lead
 * nowhere: the owner must replace them before the academy goes live.
 */
export const communities = [
  {
    label: "Student Facebook group",
    detail: "Finds, prep photos and questions, answered by students and coaches.",
    url: "https://facebook.academy.test/students",
  },
  {
    label: "Telegram chat",
    detail: "Short questions from the aisle, while you stand in front of the shelf.",
    url: "https://telegram.academy.test/students",
  },
];

export const externalSites = [
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
