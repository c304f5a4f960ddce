import { communities, externalSites } from "./communities/communities.ts";
import { chat } from "./communities/community.ts";

/** Who we are, until an administrator publishes settings of the academy's own. */
export const builtInSettings = {
  name: "Academy",
  supportEmail: null,
  senderName: null,
  /** The owner's to replace before the academy goes live: numbers with 555-01 are reserved for examples. */
  phone: "+1 (202) 555-0142",
  officeHours: "Mon-Fri 10am-6pm",
  businessHours: ["Mon-Fri: 9-6 EST", "Sat: 10-4 EST", "Sun: Closed"],
  sellerName: null,
  sellerAddress: null,
  refundDays: 7,
  taxLine: null,
  brandColor: null,
  accentColor: null,
  logo: null,
  logoAlt: null,
  icon: null,
  communities,
  externalSites,
  chat,
};

/** What a link to us shows where it is shared. */
export const socialImage = {
  path: "/social.png",
  width: 1200,
  height: 630,
  alt: "A yellow price tag beside the words: Every price tag is a question. {academy}, retail arbitrage taught from the shelf up.",
} as const;

/**
 * Stand in the built pages for what is not known before the server starts: PUBLIC_URL wherever an absolute address is
 * needed, and SUPPORT_EMAIL. The server puts these in their places. The top-level domain is reserved, so a forgotten one
 * leads nowhere.
 */
export const placeholderOrigin = "https://academy.invalid";
export const placeholderSupportEmail = "support@academy.invalid";
