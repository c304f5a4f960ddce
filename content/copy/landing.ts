/** Lessons that play on the landing page, as long as they are free previews. Others replace those that are not. */
export const freeLessonIds: readonly string[] = ["lesson-1-1", "lesson-2-1"];

const sections = {
  part: "sections" as const,
  sections: (
    [
      "example",
      "topics",
      "inside",
      "curriculum",
      "instructor",
      "testimonials",
      "materials",
      "pricing",
      "questions",
    ] as const
  ).map((id) => ({ id, isShown: true })),
};

/** The owner must be able to back all three claims of the strip: number of students, reviews, a program of 30 days. */
const hero = {
  part: "hero" as const,
  eyebrow: "Retail arbitrage, taught from the shelf up",
  headline: "Every price tag is a question.",
  headlineTag: "price tag",
  subline:
    "A video course for people who have never sold online. Learn to tell, in the aisle with a phone, which bargains sell for more on Amazon. Then prep, box and ship them.",
  hasPicture: true,
  picture: null,
  primaryAction: "See the plans",
  secondaryAction: "Watch a free lesson",
  assurance: "Refund within {refundDays} of a first purchase.",
  freeVideosTitle: "Free training videos",
  freeVideosNote: "No account and no card. Press play, with sound or with captions.",
  trust: [
    { id: "students", value: "500+", label: "students enrolled" },
    { id: "rating", value: "4.9/5", label: "average student rating" },
    { id: "program-days", value: "30-day", label: "program, at your own pace" },
  ],
};

/** The sum of lesson 1-1, with its round numbers. */
const example = {
  part: "example" as const,
  title: "One game, two prices",
  lead: "That gap is the whole business. Take off what it costs to sell, and you know what is left before you pay for the box.",
  action: "Watch this sum in the first free lesson",
  leftLabel: "On the shelf",
  leftValue: "$9",
  rightLabel: "Online",
  rightValue: "$31",
  item: "Board game, on clearance",
  lines: [
    { id: "sells-for", what: "Sells online for", amount: "31.00" },
    { id: "referral", what: "Referral fee", amount: "−4.65" },
    { id: "fulfillment", what: "Fulfillment", amount: "−6.40" },
    { id: "shipping", what: "Shipping in", amount: "−0.60" },
    { id: "shelf-price", what: "Shelf price", amount: "−9.00" },
  ],
  resultLabel: "Left for you",
  result: "$10.35",
  note: "An example in round numbers. Fees and prices differ from product to product, and some leave nothing.",
};

const topics = {
  part: "topics" as const,
  title: "What you will be able to do",
  lead: "Six skills, in the order you need them. Each one ends with something you can do on your next trip to the store.",
  topics: [
    {
      id: "sum",
      title: "Do the sum",
      sentence:
        "Take the fees off a selling price in your head, and know the most you can pay before you touch the box.",
      moduleId: "module-1",
      picture: "sum" as const,
    },
    {
      id: "shelf",
      title: "Work a shelf",
      sentence: "Scan a store section in order, match the listing to what is in your hand, and skip what wastes time.",
      moduleId: "module-2",
      picture: "scanner" as const,
    },
    {
      id: "history",
      title: "Read the history",
      sentence: "Use sales rank and ninety days of prices to tell a steady seller from a lucky week.",
      moduleId: "module-2",
      picture: "history" as const,
    },
    {
      id: "prep",
      title: "Prep the unit",
      sentence: "Peel, bag, wrap and label each unit so that the warehouse scans it once and puts it on a shelf.",
      moduleId: "module-3",
      picture: "bag" as const,
    },
    {
      id: "box",
      title: "Ship a sound box",
      sentence: "Pack under fifty pounds with nothing rattling, place both labels, and log what went in.",
      moduleId: "module-3",
      picture: "box" as const,
    },
    {
      id: "next",
      title: "Find the next one",
      sentence: "Turn a single good find into a list of brands and shelves that you check on every trip.",
      moduleId: "module-4",
      picture: "list" as const,
    },
  ],
  curriculumTitle: "Lesson by lesson",
  curriculumLead: "Each lesson with its length, and the plan that opens it. What is coming soon has no length yet.",
};

const instructor = {
  part: "instructor" as const,
  title: "Who teaches it",
  lead: "Someone who has stood on both sides of the clearance rack.",
  name: "Dana Whitlock",
  role: "Instructor and full-time reseller",
  picture: null,
  bio: [
    "Dana ran the seasonal aisle of a big-box store for six years. Her job on Monday mornings was a pricing gun and a list of what had not sold. She began to notice the same few shoppers waiting for her, phones out, and one day asked what they were looking at.",
    "She has been on the other side of the gun since then. Her first shipment was eleven board games in one box. Two came back damaged because she had skipped the bubble wrap, and that is why prep has a module of its own here.",
    "She teaches the way she keeps her notebook: the shelf, the numbers, the decision, and what happened afterwards, including when it went wrong.",
  ].join("\n\n"),
  quote: "A bargain is only a low price. A buy is a low price with a customer at the other end.",
};

/**
 * The three built-in testimonials are invented, so the owner cannot back them. Before the page is public, the words of
 * real students must replace them, with their written permission.
 */
const testimonials = {
  part: "testimonials" as const,
  title: "From students’ notebooks",
  lead: "Results differ from person to person. These are experiences and not a forecast.",
  testimonials: [
    {
      id: "testimonial-1",
      name: "Priya N.",
      detail: "Nurse, buys on her days off",
      quote:
        "I used to fill a cart and do the math at home. Now most of it goes back on the shelf, and what I keep I can explain in one line.",
      picture: null,
    },
    {
      id: "testimonial-2",
      name: "Gordon T.",
      detail: "Retired, two stores within walking distance",
      quote:
        "The labeling lesson saved my first box. I was about to leave the store barcode showing on thirty units because nobody had told me to cover it.",
      picture: null,
    },
    {
      id: "testimonial-3",
      name: "Aleksandra W.",
      detail: "Runs a small repair shop",
      quote:
        "Plain talk, short lessons, and no yelling about sports cars. I watched the shipping one with a tape gun in my hand and stopped it after each step.",
      picture: null,
    },
  ],
};

const materials = {
  part: "materials" as const,
  hasPicture: true,
  title: "What is in the box",
  lead: "The packing slip for your enrollment.",
  label: "Packing slip",
  materials: [
    {
      id: "videos",
      title: "Video lessons",
      detail: "{Modules:basic}, short enough to watch in the parking lot, each with captions.",
      availability: null,
    },
    {
      id: "buy-sheet",
      title: "Buy sheet",
      detail: "A spreadsheet with the fee sum built in: type the shelf price and the selling price, read what is left.",
      availability: null,
    },
    {
      id: "checklist",
      title: "Prep checklist",
      detail: "One printed page for the packing table: peel, bag, wrap, label, drop test.",
      availability: null,
    },
    {
      id: "shipment-log",
      title: "Shipment log",
      detail: "A row per box with contents, weight and tracking number, for the day a count comes back short.",
      availability: null,
    },
    {
      id: "live-coaching",
      title: "Live coaching",
      detail: "Group classes at set times, held since September 2025. With {plan:premium} and {plan:vip}.",
      availability: {
        id: "live-coaching-since",
        since: "2025-09",
        withoutClaim: "Group classes at set times. With {plan:premium} and {plan:vip}.",
      },
    },
    {
      id: "one-on-one",
      title: "1-on-1 coaching",
      detail: "Classes of one since October 2025, booked in your own time zone. With {plan:vip}.",
      availability: {
        id: "one-on-one-since",
        since: "2025-10",
        withoutClaim: "Classes of one, booked in your own time zone. With {plan:vip}.",
      },
    },
  ],
};

/** The prices of other companies' tools may change. */
const toolPrice = "tool-price";

const pricing = {
  part: "pricing" as const,
  title: "Three tags, one course",
  lead: "Pay by the month, by the year, or once. The lessons are the same; what differs is how far they go and how much coaching comes with them.",
  notes: [
    {
      id: "refund",
      title: "{refundDays} to change your mind",
      text: "Write to us within {refundDays} of your first purchase, and the full amount goes back to your card.",
      claim: null,
    },
    {
      id: "card",
      title: "We never see your card",
      text: "Its number goes from your browser straight to the payment provider. You can cancel a renewal on your membership page.",
      claim: null,
    },
    {
      id: "tool",
      title: "One cost that is not on the tag",
      text: "The product analysis tool: $29.95 per month, paid to its maker. Module 1 works without it.",
      claim: {
        id: toolPrice,
        withoutClaim: "The product analysis tool, paid month by month to its maker. Module 1 works without it.",
      },
    },
  ],
};

const questions = {
  part: "questions" as const,
  title: "Asked at the register",
  lead: "Seven things people want to know before they pay.",
  askQuestion: "Not among them?",
  askAction: "Ask us",
  questions: [
    {
      id: "experience",
      question: "Do I need to have sold anything before?",
      answer:
        "No. Module 1 starts with a price tag and a pencil and explains every term when it first appears. If you can shop with a list and tape a box shut, you can follow it.",
      claim: null,
    },
    {
      id: "starting-money",
      question: "How much money do I need besides the course?",
      answer:
        "We teach with a first buying budget of $200, of which about $40 goes to labels, bags and tape. You will also pay the marketplace’s own selling fees. Do not buy inventory with money that you need for rent.",
      claim: null,
    },
    {
      id: "analysis-tool",
      question: "Is there software I have to pay for?",
      answer:
        "Yes, one. The product analysis tool that we use to read sales rank and price history costs $29.95 per month. You pay its maker directly; it is not part of any of our plans. You do not need it for module 1.",
      claim: {
        id: toolPrice,
        withoutClaim:
          "Yes, one: the product analysis tool that we use to read sales rank and price history. You pay its maker directly, month by month; it is not part of any of our plans. You do not need it for module 1.",
      },
    },
    {
      id: "renewal",
      question: "How does the monthly plan renew?",
      answer:
        "{plan:basic} renews automatically: every 30 days your card is charged the price of the plan, until you cancel. You can cancel at any time on your membership page, and you keep access until the end of the 30 days you have paid for. {plan:premium} and {plan:vip} are one-time payments and do not renew.",
      claim: null,
    },
    {
      id: "refund",
      question: "Can I get my money back?",
      answer:
        "Yes, within {refundDays} of your first purchase. Write to support from the contact page and we return the full amount to the card you paid with. It applies to first-time purchases only; after {refundDays}, and on later purchases and renewals, we do not refund.",
      claim: null,
    },
    {
      id: "higher-plans",
      question: "What do {plan:premium} and {plan:vip} add?",
      answer:
        "{plan:premium} opens {modules:premium} for 365 days and adds live group coaching. {plan:vip} opens {modules:vip} with no end date and adds 1-on-1 coaching and all future updates. Modules that are coming soon appear in your course area when they are released, at no extra cost.",
      claim: null,
    },
    {
      id: "earnings",
      question: "How much will I make?",
      answer:
        "We do not know, and nobody who has not seen your stores, your hours and your buying can tell you. Some products lose money. The course teaches you to see that before you pay for them.",
      claim: null,
    },
  ],
};

/** The landing page's texts by part. */
export const landingCopy = { sections, hero, example, topics, instructor, testimonials, materials, pricing, questions };
