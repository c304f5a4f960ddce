import { communities, externalSites } from "./communities/communities.ts";
import { chat } from "./communities/community.ts";

/** The academy's settings, until an administrator publishes others. */
export const builtInSettings = {
  name: "Academy",
  supportEmail: null,
  senderName: null,
  /** The owner must replace it before the academy goes live: 555-01 numbers are reserved for examples. */
  phone: "+1 (202) 555-0142",
  timeZone: "UTC",
  officeHours: "Mon-Fri 10am-6pm",
  businessHours: ["Mon-Fri: 9-6 EST", "Sat: 10-4 EST", "Sun: Closed"],
  sellerName: null,
  sellerAddress: null,
  refundDays: 7,
  taxLine: null,
  receiptPrefix: null,
  certificateModules: 3,
  questionDigestHour: 8,
  reviewEveryDays: 90,
  brandColor: null,
  accentColor: null,
  logo: null,
  logoAlt: null,
  isPlain: false,
  icon: null,
  communities,
  externalSites,
  chat,
};

/** The image in previews of links to the academy. */
export const socialImage = {
  path: "/social.png",
  width: 1200,
  height: 630,
  alt: "A yellow price tag beside the words: Every price tag is a question. {academy}, retail arbitrage taught from the shelf up.",
} as const;

/**
 * Placeholders in the built pages for what is only known when the server starts: PUBLIC_URL in absolute URLs, and
 * SUPPORT_EMAIL. The server replaces them. The top-level domain is reserved, so a forgotten one leads nowhere.
 */
export const placeholderOrigin = "https://academy.invalid";
export const placeholderSupportEmail = "support@academy.invalid";
