import type { BuiltInPlan } from "./plans.ts";

export interface CatalogueModule {
  /** "module-1" */
  id: string;
  position: number;
  title: string;
  description: string;
  requiredTier: BuiltInPlan["tier"];
  comingSoon: boolean;
  lessons: CatalogueLesson[];
}

export interface CatalogueLesson {
  /** "lesson-1-1" */
  id: string;
  title: string;
  description: string;
  /** Whole seconds, rounded down; 0 while the lesson is not produced. */
  durationSeconds: number;
  /** "sample:lesson-1-1" names content/samples/lesson-1-1.mp4; "placeholder-video" means not yet produced. */
  videoId: string;
  /** Plays for anybody without signing in. */
  freePreview: boolean;
}

/** The seeded course. `scripts/make/samples.ts` fails when a duration here differs from the video's. */
export const catalogue: readonly CatalogueModule[] = [
  {
    id: "module-1",
    position: 1,
    title: "Amazon FBA Fundamentals",
    description:
      "How money is made between a store shelf and an online listing, what the marketplace takes, and what you need in place before you buy a single unit.",
    requiredTier: "basic",
    comingSoon: false,
    lessons: [
      {
        id: "lesson-1-1",
        title: "The Gap Between Two Prices",
        description:
          "Retail arbitrage in one sum: the online price, minus the shelf price, minus the fees. Work through a board game that looks like a bargain and see what is really left of it.",
        durationSeconds: 41,
        videoId: "sample:lesson-1-1",
        freePreview: true,
      },
      {
        id: "lesson-1-2",
        title: "Opening Your Seller Account",
        description:
          "The papers to have on the table before you start, how to choose between the two selling plans, and the mismatched address that holds up most applications.",
        durationSeconds: 41,
        videoId: "sample:lesson-1-2",
        freePreview: false,
      },
      {
        id: "lesson-1-3",
        title: "Every Fee, in Order",
        description:
          "Referral, fulfillment, storage and the cost of getting a box there. Learn which fees move with the price, which move with size and weight, and where beginners lose their margin.",
        durationSeconds: 40,
        videoId: "sample:lesson-1-3",
        freePreview: false,
      },
      {
        id: "lesson-1-4",
        title: "What Happens After the Box Leaves",
        description:
          "Follow one unit from your table to a fulfillment center, onto a customer's porch, and sometimes back again as a return. Know who is responsible at each stop.",
        durationSeconds: 40,
        videoId: "sample:lesson-1-4",
        freePreview: false,
      },
      {
        id: "lesson-1-5",
        title: "Your First $200",
        description:
          "A small buying budget, spread so that no single mistake hurts. Set a limit per product, keep something back for supplies, and write every purchase down.",
        durationSeconds: 41,
        videoId: "sample:lesson-1-5",
        freePreview: false,
      },
    ],
  },
  {
    id: "module-2",
    position: 2,
    title: "Store Scanning Mastery",
    description:
      "Walk into any store with a phone and a method: where to start, what to scan, how to read the result, and when to put the product back.",
    requiredTier: "basic",
    comingSoon: false,
    lessons: [
      {
        id: "lesson-2-1",
        title: "Scan Your First Shelf",
        description:
          "Work a shelf from left to right with a scanning app. Check that the listing is the same product, then read four numbers before you decide.",
        durationSeconds: 40,
        videoId: "sample:lesson-2-1",
        freePreview: true,
      },
      {
        id: "lesson-2-2",
        title: "Sales Rank and Price History",
        description:
          "A price that held for a day is not a price. Read ninety days of rank and price on one chart, count the drops, and use the ordinary price in your sum.",
        durationSeconds: 41,
        videoId: "sample:lesson-2-2",
        freePreview: false,
      },
      {
        id: "lesson-2-3",
        title: "Clearance Aisles and Markdown Days",
        description:
          "Stores mark down in steps and on a rhythm. Find the end caps, learn to read a clearance sticker, and keep a page for each store so that you arrive on the right day.",
        durationSeconds: 40,
        videoId: "sample:lesson-2-3",
        freePreview: false,
      },
      {
        id: "lesson-2-4",
        title: "When to Walk Away",
        description:
          "Gated brands, thin listings, falling prices and products that leak or break. Five reasons to put it back, and why you check them at the shelf and not at home.",
        durationSeconds: 38,
        videoId: "sample:lesson-2-4",
        freePreview: false,
      },
    ],
  },
  {
    id: "module-3",
    position: 3,
    title: "Product Preparation & Fulfillment",
    description:
      "Turn a cart of store purchases into a shipment that is received without questions: clean units, right labels, sound boxes.",
    requiredTier: "basic",
    comingSoon: false,
    lessons: [
      {
        id: "lesson-3-1",
        title: "Clean, Bag, Protect",
        description:
          "Take off store stickers without tearing the box, decide what needs a bag or bubble wrap, and give every unit the three-foot drop test before it leaves the table.",
        durationSeconds: 39,
        videoId: "sample:lesson-3-1",
        freePreview: false,
      },
      {
        id: "lesson-3-2",
        title: "Labels That Scan the First Time",
        description:
          "Where the FNSKU label goes, what it must cover, and how much white it needs around it. Then three label mistakes that send stock to the wrong place.",
        durationSeconds: 38,
        videoId: "sample:lesson-3-2",
        freePreview: false,
      },
      {
        id: "lesson-3-3",
        title: "Pack, Weigh, Ship",
        description:
          "Build a box that survives the belt: heavy items low, no empty space, under fifty pounds. Place both shipping labels and keep a record of what went in.",
        durationSeconds: 41,
        videoId: "sample:lesson-3-3",
        freePreview: false,
      },
    ],
  },
  {
    id: "module-4",
    position: 4,
    title: "How to Find Winning Products",
    description:
      "From one lucky find to a list you can buy again: how to follow brands, seasons and stores so that the next trip starts with a plan.",
    requiredTier: "premium",
    comingSoon: true,
    lessons: [
      {
        id: "lesson-4-1",
        title: "From One Find to a Buying List",
        description:
          "Take a product that sold well and look for its neighbors: the same brand, the same shelf, the same season. Build a list worth checking on every trip.",
        durationSeconds: 0,
        videoId: "placeholder-video",
        freePreview: false,
      },
    ],
  },
  {
    id: "module-5",
    position: 5,
    title: "Capital Raising and Credit Building Masterclass",
    description:
      "Money for inventory, and the habits lenders look for: separate books, bills paid on time, and borrowing only what your stock can repay.",
    requiredTier: "vip",
    comingSoon: true,
    lessons: [
      {
        id: "lesson-5-1",
        title: "Building Business Credit From Nothing",
        description:
          "Separate your business from your household: an account, a tax number, a first supplier on terms, and a payment record that a lender can read.",
        durationSeconds: 0,
        videoId: "placeholder-video",
        freePreview: false,
      },
      {
        id: "lesson-5-2",
        title: "Paying for Inventory With Other People's Money",
        description:
          "Cards, credit lines, marketplace loans and private lenders side by side: what each one costs, what it asks for, and when stock turns too slowly to borrow at all.",
        durationSeconds: 0,
        videoId: "placeholder-video",
        freePreview: false,
      },
    ],
  },
];
