import type { Labels } from "#app/editing/fields.tsx";
import type { AcademySettings } from "#contract/academy.ts";
import { clockInZone } from "#contract/coaching/times.ts";
import type { Chat } from "#contract/communities.ts";

const sites = (what: string) => ({
  what,
  labels: { label: `Name of the ${what}`, detail: `About the ${what}`, url: `Address of the ${what}` },
});

const picture = () => "A picture";

const digestHours = [
  ["", "Off"],
  ...Array.from({ length: 24 }, (_, hour) => [`${hour}`, clockInZone(new Date(hour * 3_600_000), "UTC")] as const),
] as const;

export const chatLabels: Labels<Chat> = {
  title: "Title of the invitation",
  sentence: "Invitation",
  action: "Words on the button",
  url: "Address of the chat",
  channels: {
    title: "Channels",
    hint: "What students talk about there.",
    what: "channel",
    labels: { name: "Name of the channel", about: "About the channel" },
  },
};

export const siteLabels = {
  communities: {
    title: "Communities",
    hint: "Shown on the contact page, in the course and in the site map.",
    ...sites("community"),
  },
  externalSites: {
    title: "Sites that the course works with",
    hint: "Shown in the site map.",
    ...sites("site"),
  },
} as const satisfies Labels<AcademySettings>;

export const settingsLabels = {
  name: "Name",
  timeZone: "Time zone",
  logo: { label: "Logo", words: picture },
  logoAlt: "Logo in words",
  icon: { label: "Icon", words: picture },
  brandColor: "Brand color",
  accentColor: "Accent color",
  isPlain: "Plain style: simple boxes in place of tags, torn receipts and stamps",
  supportEmail: "Support address",
  phone: "Phone",
  officeHours: "Office hours",
  businessHours: "Business hours",
  chat: { labels: chatLabels },
  ...siteLabels,
  certificateModules: "Last module",
  senderName: "Sender of emails",
  sellerName: "Seller",
  sellerAddress: "Seller’s address",
  refundDays: "Refund window in days",
  taxLine: "Tax line",
  receiptPrefix: "Prefix of receipt numbers",
  questionDigestHour: { label: "Daily email about open questions", options: digestHours },
} as const satisfies Labels<AcademySettings>;
