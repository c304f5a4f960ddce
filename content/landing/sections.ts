import type { Claim, SectionHeading } from "./landing.ts";

export interface TrustItem extends Claim {
  value: string;
  label: string;
}

export interface CourseTopic {
  title: string;
  sentence: string;
  moduleId: string;
  comingSoon: boolean;
}

export interface Instructor extends Claim {
  name: string;
  role: string;
  /** One string per paragraph. */
  bio: string[];
  quote: string;
}

/**
 * The three that ship are written by us and nobody said them: claims that the owner cannot back as they are. Before the
 * page is public they make room for the words of real students, with their written permission.
 */
export interface Testimonial extends Claim {
  name: string;
  detail: string;
  quote: string;
}

/** Since when something is there. */
export interface Availability extends Claim {
  label: string;
  /** The month that label and detail name: "2025-09". */
  since: string;
  /** The detail once the claim is taken off. */
  withoutClaim: string;
}

export interface CourseMaterial {
  title: string;
  detail: string;
  availability?: Availability;
}

export interface FaqEntry {
  /** Stable, for links to one question. */
  id: string;
  question: string;
  answer: string;
  /** What the answer claims, and the answer once that is taken off. */
  claim?: Claim & { withoutClaim: string };
}

export interface Sum {
  item: string;
  shelfPrice: string;
  onlinePrice: string;
  /** In the order they are written down. */
  lines: readonly { what: string; amount: string }[];
  left: { what: string; amount: string };
  note: string;
  action: string;
}

export interface PricingNote {
  title: string;
  text: string;
  claim?: Claim & { withoutClaim: string };
}

/** What a tool of others costs is theirs to change. */
const toolPrice = "tool-price";

/** The owner must be able to back all three: count of students, reviews on file, a program of 30 days. */
export const trustStrip: readonly TrustItem[] = [
  { value: "500+", label: "students enrolled", claim: "students" },
  { value: "4.9/5", label: "average student rating", claim: "rating" },
  { value: "30-day", label: "program, at your own pace", claim: "program-days" },
];

export const sectionHeadings: Record<
  "sum" | "course" | "curriculum" | "instructor" | "testimonials" | "materials" | "faq",
  SectionHeading
> = {
  sum: {
    title: "One game, two prices",
    lead: "That gap is the whole business. Take off what it costs to sell, and you know what is left before you pay for the box.",
  },
  course: {
    title: "What you will be able to do",
    lead: "Six skills, in the order you need them. Each one ends with something you can do on your next trip to the store.",
  },
  curriculum: {
    title: "Lesson by lesson",
    lead: "Each lesson with its length, and the plan that opens it. What is coming soon has no length yet.",
  },
  instructor: {
    title: "Who teaches it",
    lead: "Someone who has stood on both sides of the clearance rack.",
  },
  testimonials: {
    title: "From students’ notebooks",
    lead: "Results differ from person to person. These are experiences and not a forecast.",
  },
  materials: {
    title: "What is in the box",
    lead: "The packing slip for your enrollment.",
  },
  faq: {
    title: "Asked at the register",
    lead: "Seven things people want to know before they pay.",
  },
};

/** The sum of lesson 1-1, in its own round numbers. */
export const sum: Sum = {
  item: "Board game, on clearance",
  shelfPrice: "$9",
  onlinePrice: "$31",
  lines: [
    { what: "Sells online for", amount: "31.00" },
    { what: "Referral fee", amount: "−4.65" },
    { what: "Fulfillment", amount: "−6.40" },
    { what: "Shipping in", amount: "−0.60" },
    { what: "Shelf price", amount: "−9.00" },
  ],
  left: { what: "Left for you", amount: "10.35" },
  note: "An example in round numbers. Fees and prices differ from product to product, and some leave nothing.",
  action: "Watch this sum in the first free lesson",
};

export const pricingNotes: readonly PricingNote[] = [
  {
    title: "{refundDays} to change your mind",
    text: "Write to us within {refundDays} of your first purchase, and the full amount goes back to your card.",
  },
  {
    title: "We never see your card",
    text: "Its number goes from your browser straight to the payment provider. You can cancel a renewal on your membership page.",
  },
  {
    title: "One cost that is not on the tag",
    text: "The product analysis tool: $29.95 per month, paid to its maker. Module 1 works without it.",
    claim: {
      claim: toolPrice,
      withoutClaim: "The product analysis tool, paid month by month to its maker. Module 1 works without it.",
    },
  },
];

export const courseTopics: readonly CourseTopic[] = [
  {
    title: "Do the sum",
    sentence: "Take the fees off a selling price in your head, and know the most you can pay before you touch the box.",
    moduleId: "module-1",
    comingSoon: false,
  },
  {
    title: "Work a shelf",
    sentence: "Scan a store section in order, match the listing to what is in your hand, and skip what wastes time.",
    moduleId: "module-2",
    comingSoon: false,
  },
  {
    title: "Read the history",
    sentence: "Use sales rank and ninety days of prices to tell a steady seller from a lucky week.",
    moduleId: "module-2",
    comingSoon: false,
  },
  {
    title: "Prep the unit",
    sentence: "Peel, bag, wrap and label each unit so that the warehouse scans it once and puts it on a shelf.",
    moduleId: "module-3",
    comingSoon: false,
  },
  {
    title: "Ship a sound box",
    sentence: "Pack under fifty pounds with nothing rattling, place both labels, and log what went in.",
    moduleId: "module-3",
    comingSoon: false,
  },
  {
    title: "Find the next one",
    sentence: "Turn a single good find into a list of brands and shelves that you check on every trip.",
    moduleId: "module-4",
    comingSoon: true,
  },
];

export const instructor: Instructor = {
  name: "Dana Whitlock",
  role: "Instructor and full-time reseller",
  bio: [
    "Dana ran the seasonal aisle of a big-box store for six years. Her job on Monday mornings was a pricing gun and a list of what had not sold. She began to notice the same few shoppers waiting for her, phones out, and one day asked what they were looking at.",
    "She has been on the other side of the gun since then. Her first shipment was eleven board games in one box. Two came back damaged because she had skipped the bubble wrap, and that is why prep has a module of its own here.",
    "She teaches the way she keeps her notebook: the shelf, the numbers, the decision, and what happened afterwards, including when it went wrong.",
  ],
  quote: "A bargain is only a low price. A buy is a low price with a customer at the other end.",
  claim: "instructor",
};

export const testimonials: readonly Testimonial[] = [
  {
    name: "Priya N.",
    detail: "Nurse, buys on her days off",
    quote:
      "I used to fill a cart and do the math at home. Now most of it goes back on the shelf, and what I keep I can explain in one line.",
    claim: "testimonial-1",
  },
  {
    name: "Gordon T.",
    detail: "Retired, two stores within walking distance",
    quote:
      "The labeling lesson saved my first box. I was about to leave the store barcode showing on thirty units because nobody had told me to cover it.",
    claim: "testimonial-2",
  },
  {
    name: "Aleksandra W.",
    detail: "Runs a small repair shop",
    quote:
      "Plain talk, short lessons, and no yelling about sports cars. I watched the shipping one with a tape gun in my hand and stopped it after each step.",
    claim: "testimonial-3",
  },
];

export const courseMaterials: readonly CourseMaterial[] = [
  {
    title: "Video lessons",
    detail: "Modules 1-3, short enough to watch in the parking lot, each with captions.",
  },
  {
    title: "Buy sheet",
    detail: "A spreadsheet with the fee sum built in: type the shelf price and the selling price, read what is left.",
  },
  {
    title: "Prep checklist",
    detail: "One printed page for the packing table: peel, bag, wrap, label, drop test.",
  },
  {
    title: "Shipment log",
    detail: "A row per box with contents, weight and tracking number, for the day a count comes back short.",
  },
  {
    title: "Live coaching",
    detail: "Group classes at set times, held since September 2025. With Annual and Lifetime Access.",
    availability: {
      label: "Available 9/25",
      since: "2025-09",
      withoutClaim: "Group classes at set times. With Annual and Lifetime Access.",
      claim: "live-coaching-since",
    },
  },
  {
    title: "1-on-1 coaching",
    detail: "Classes of one since October 2025, booked in your own time zone. With Lifetime Access.",
    availability: {
      label: "Available 10/25",
      since: "2025-10",
      withoutClaim: "Classes of one, booked in your own time zone. With Lifetime Access.",
      claim: "one-on-one-since",
    },
  },
];

/** Under the questions' heading. */
export const askUs = { question: "Not among them?", action: "Ask us" } as const;

export const faq: readonly FaqEntry[] = [
  {
    id: "experience",
    question: "Do I need to have sold anything before?",
    answer:
      "No. Module 1 starts with a price tag and a pencil and explains every term when it first appears. If you can shop with a list and tape a box shut, you can follow it.",
  },
  {
    id: "starting-money",
    question: "How much money do I need besides the course?",
    answer:
      "We teach with a first buying budget of $200, of which about $40 goes to labels, bags and tape. You will also pay the marketplace’s own selling fees. Do not buy inventory with money that you need for rent.",
  },
  {
    id: "analysis-tool",
    question: "Is there software I have to pay for?",
    answer:
      "Yes, one. The product analysis tool that we use to read sales rank and price history costs $29.95 per month. You pay its maker directly; it is not part of any of our plans. You do not need it for module 1.",
    claim: {
      claim: toolPrice,
      withoutClaim:
        "Yes, one: the product analysis tool that we use to read sales rank and price history. You pay its maker directly, month by month; it is not part of any of our plans. You do not need it for module 1.",
    },
  },
  {
    id: "renewal",
    question: "How does the monthly plan renew?",
    answer:
      "Monthly Access renews automatically: every 30 days your card is charged the price of the plan, until you cancel. You can cancel at any time on your membership page, and you keep access until the end of the 30 days you have paid for. Annual and Lifetime Access are one-time payments and do not renew.",
  },
  {
    id: "refund",
    question: "Can I get my money back?",
    answer:
      "Yes, within {refundDays} of your first purchase. Write to support from the contact page and we return the full amount to the card you paid with. It applies to first-time purchases only; after {refundDays}, and on later purchases and renewals, we do not refund.",
  },
  {
    id: "higher-plans",
    question: "What do Annual and Lifetime Access add?",
    answer:
      "Annual opens modules 1-4 for 365 days and adds live group coaching. Lifetime opens modules 1-5 with no end date and adds 1-on-1 coaching and all future updates. Modules 4 and 5 are coming soon; they appear in your course area when they are released, at no extra cost.",
  },
  {
    id: "earnings",
    question: "How much will I make?",
    answer:
      "We do not know, and nobody who has not seen your stores, your hours and your buying can tell you. Some products lose money. The course teaches you to see that before you pay for them.",
  },
];
