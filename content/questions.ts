export interface BuiltInQuestion {
  lessonId: string;
  /** The second of the lesson. */
  at: number | null;
  title: string;
  text: string;
  answers: readonly { by: "team" | "student"; text: string; isAccepted?: boolean; report?: string }[];
}

/** What students asked in the demo's history, oldest first. */
export const questions: readonly BuiltInQuestion[] = [
  {
    lessonId: "lesson-1-1",
    at: 12,
    title: "Does the referral fee include shipping?",
    text: "The lesson takes 15% off the price. If a buyer pays $4 for shipping, is the fee also on those $4?",
    answers: [
      {
        by: "team",
        text: "Yes. The referral fee is a share of **everything the buyer pays**, without sales tax. With fulfillment by the marketplace the shipping is usually in the price, so you don't see it as a line of its own.",
        isAccepted: true,
      },
      { by: "student", text: "I use the fee preview in the seller app before I buy. It shows both fees for the item." },
    ],
  },
  {
    lessonId: "lesson-1-1",
    at: 30,
    title: "How old may a price be before I trust it?",
    text: "I found a game at $9 that sold for $31 last week. How do I know that it still does?",
    answers: [
      {
        by: "student",
        text: "Look at the chart for 90 days. If the line is flat, last week is fine. If it jumps, I wait.",
        isAccepted: true,
      },
    ],
  },
  {
    lessonId: "lesson-1-2",
    at: 20,
    title: "Can I sign up with a sole proprietorship?",
    text: "I don't have an LLC yet. Do I need one before I open the account?",
    answers: [
      {
        by: "team",
        text: "No. You can open the account as an individual and change the business type later. Use the same name and address on every document.",
        isAccepted: true,
      },
    ],
  },
  {
    lessonId: "lesson-1-3",
    at: 15,
    title: "Which size tier does a soft toy belong to?",
    text: "It is light, but it fills the box. I measured 16 inches in one direction.",
    answers: [
      {
        by: "team",
        text: "Measure it *in its bag*, with the air pressed out:\n\n1. Longest side\n2. Middle side\n3. Weight\n\nThe largest of the three decides. Most soft toys fit large standard once they are bagged.",
      },
    ],
  },
  {
    lessonId: "lesson-1-4",
    at: null,
    title: "How long until a shipment is checked in?",
    text: "Mine was delivered nine days ago and still says “receiving”.",
    answers: [
      { by: "student", text: "Ten days is normal in November. Mine took twelve." },
      {
        by: "team",
        text: "Two weeks is common before the holidays. If units are missing after that, open a case with the delivery receipt.",
        isAccepted: true,
      },
    ],
  },
  {
    lessonId: "lesson-1-5",
    at: 25,
    title: "Is $200 for one product or for several?",
    text: "Should I buy ten of one item or two each of five items with my first $200?",
    answers: [
      {
        by: "team",
        text: "Several. You learn five prices instead of one, and a mistake costs you two items instead of ten.",
        isAccepted: true,
      },
    ],
  },
  {
    lessonId: "lesson-2-1",
    at: 10,
    title: "The app says I need approval for this brand",
    text: "I scanned a shelf of one brand and all items say “approval required”. Do I apply, or leave them?",
    answers: [
      {
        by: "student",
        text: "I sell approvals. Write to me and I send you mine.",
        report: "This is against the rules",
      },
      { by: "student", text: "I leave them. There is enough on the next shelf." },
    ],
  },
  {
    lessonId: "lesson-2-2",
    at: 18,
    title: "What is a good sales rank in toys?",
    text: "The lesson says under 100,000, but does that hold in every category?",
    answers: [
      {
        by: "team",
        text: "It depends on how large the category is. Take the top 1% as a start: the number of items is at the top of the category's list.",
        isAccepted: true,
      },
    ],
  },
  {
    lessonId: "lesson-2-3",
    at: 22,
    title: "Do all stores mark down on the same day?",
    text: "My store seems to do it on Tuesdays. Is that a rule of the chain?",
    answers: [
      { by: "student", text: "It differs from store to store here. I asked at the register and they told me." },
      { by: "team", text: "Ask in the store, as suggested. Write the days of each department into your route." },
    ],
  },
  {
    lessonId: "lesson-2-4",
    at: null,
    title: "Would you buy with $2 left per item?",
    text: "The rank is very good, so it would sell in days. Is $2 still too little?",
    answers: [{ by: "team", text: "Walk away. One return eats the profit of ten items.", isAccepted: true }],
  },
  {
    lessonId: "lesson-3-1",
    at: 14,
    title: "How do I get sticker glue off without a stain?",
    text: "The heat gun leaves a shadow on white boxes.",
    answers: [
      {
        by: "student",
        text: "Lighter fluid on a cotton pad, 20 seconds, then wipe. Try it on the bottom first.",
        isAccepted: true,
      },
    ],
  },
  {
    lessonId: "lesson-3-2",
    at: 16,
    title: "My labels come out too small",
    text: "The scanner beeps for one in three. I print on the office printer.",
    answers: [
      {
        by: "team",
        text: "Turn off “fit to page” and print at 100%. The bars must keep their width.",
        isAccepted: true,
      },
    ],
  },
  {
    lessonId: "lesson-3-3",
    at: 28,
    title: "Can I reuse boxes with other barcodes on them?",
    text: "I have a stack of boxes from a store. Do I have to cover the old codes?",
    answers: [],
  },
  {
    lessonId: "lesson-2-2",
    at: 33,
    title: "Which chart do I read first, price or rank?",
    text: "They disagree for the item that I have in my hand: the price rises and the rank gets worse.",
    answers: [],
  },
  {
    lessonId: "lesson-1-3",
    at: 20,
    title: "Are storage fees different in October?",
    text: "Somebody in my group said that they triple before the holidays.",
    answers: [],
  },
];
