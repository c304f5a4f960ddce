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

export const generalLabels = {
  name: { label: "Name", hint: "On every page, email and receipt, and in searches." },
  timeZone: {
    label: "Time zone",
    hint: "Used for dates on receipts, in exports, and in emails to people whose own time zone we don’t know.",
  },
} as const satisfies Labels<AcademySettings>;

export const lookLabels = {
  logo: { label: "Logo", words: picture },
  logoAlt: "Logo alternative text",
  icon: { label: "Icon", words: picture },
  brandColor: "Brand color",
  accentColor: "Accent color",
  isPlain: "Plain style",
} as const satisfies Labels<AcademySettings>;

export const supportLabels = {
  supportEmail: "Support address",
  phone: { label: "Phone", hint: "Leave empty to show none.", type: "tel" },
  officeHours: { label: "Office hours", hint: "Leave empty to show none." },
  businessHours: { label: "Business hours", hint: "For example, Sun: Closed. Leave empty to show none." },
} as const satisfies Labels<AcademySettings>;

export const chatLabels: Labels<Chat> = {
  title: "Title of the invitation",
  sentence: "Invitation",
  action: "Button label",
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
    title: "Sites that the course uses",
    hint: "Shown in the site map.",
    ...sites("site"),
  },
} as const satisfies Labels<AcademySettings>;

export const communityLabels = {
  chat: { labels: chatLabels },
  ...siteLabels,
} as const satisfies Labels<AcademySettings>;

export const certificateLabels = {
  certificateModules: {
    label: "Last module",
    hint: "Students need all lessons and checks of the modules up to this one. Certificates that you’ve already issued don’t change.",
  },
} as const satisfies Labels<AcademySettings>;

export const reviewLabels = {
  reviewEveryDays: {
    label: "Days between reviews",
    hint: "A lesson is due for review this many days after someone last checked it.",
  },
} as const satisfies Labels<AcademySettings>;

export const receiptLabels = {
  senderName: "Sender of emails",
  sellerName: { label: "Seller", hint: "Leave empty to use the name." },
  sellerAddress: {
    label: "Seller’s address",
    hint: "One line per row, as on an envelope. Shown on receipts and in emails.",
    rows: 4,
  },
  refundDays: {
    label: "Refund window in days",
    hint: "For a first purchase. Shown on pages and in emails. Earlier buyers keep the window they bought with.",
  },
  taxLine: {
    label: "Tax line",
    hint: "Shown on receipts, such as a tax number or what prices include. Leave empty for none.",
  },
  receiptPrefix: {
    label: "Prefix of receipt numbers",
    hint: "Such as ACME for ACME-2027-0042. Earlier receipts keep their number. Leave empty for none.",
  },
  questionDigestHour: {
    label: "Daily email about open questions",
    hint: "Goes to everyone who may answer them, in the academy’s time zone. Not sent when there are no open questions.",
    options: digestHours,
  },
} as const satisfies Labels<AcademySettings>;

export const settingsLabels = {
  ...generalLabels,
  ...lookLabels,
  ...supportLabels,
  ...communityLabels,
  ...certificateLabels,
  ...reviewLabels,
  ...receiptLabels,
} as const satisfies Labels<AcademySettings>;
