/** The scripts of the sample lessons: the source of their voice, captions and slides. */
import * as draw from "./drawings.ts";

export interface SampleSlide {
  heading: string;
  /** One sentence per caption. Amounts are written as "$10.35", and the generator speaks them as words. */
  say: string[];
  drawing: string;
}

export interface SampleLesson {
  /** A lesson of the catalogue. Its title is on the first slide. */
  lessonId: string;
  /** Spoken while the title is shown. */
  opening: string;
  slides: SampleSlide[];
}

export const sampleLessons: readonly SampleLesson[] = [
  {
    lessonId: "lesson-1-1",
    opening: "Retail arbitrage lives in the gap between two prices.",
    slides: [
      {
        heading: "One game, two prices",
        say: ["This board game is on clearance for $9.", "Online, the same game sells for $31."],
        drawing: draw.shelf(["$24", "$18", "$35", "$9", "$22", "$27"], 3),
      },
      {
        heading: "Do the sum",
        say: [
          "Take off the referral fee, the fulfillment fee and the shipping.",
          "Then take off what you paid at the register.",
        ],
        drawing: draw.receipt(
          "BOARD GAME",
          [
            ["Sells for", "31.00"],
            ["Referral fee", "-4.65"],
            ["Fulfillment", "-6.40"],
            ["Shipping in", "-0.60"],
            ["Shelf price", "-9.00"],
          ],
          ["Left for you", "10.35"],
        ),
      },
      {
        heading: "The gap is smaller than it looks",
        say: ["The prices are $22 apart, but only $10.35 is yours.", "That is the number that decides."],
        drawing: draw.versus(
          ["On the tag", "$22.00", "between the", "two prices"],
          ["In your pocket", "$10.35", "after fees", "and shipping"],
          ">",
        ),
      },
      {
        heading: "Then three more questions",
        say: ["A low price is not enough.", "Somebody has to want it, at a price that holds."],
        drawing: draw.notebook("Before it goes in the cart", [
          ["Is it the same product?", true],
          ["Does it sell often?", true],
          ["Is this its usual price?", true],
        ]),
      },
    ],
  },
  {
    lessonId: "lesson-1-2",
    opening: "Before you buy anything, open your seller account properly.",
    slides: [
      {
        heading: "On the table first",
        say: ["Have these five things beside you.", "The application asks for them in one sitting."],
        drawing: draw.notebook("Papers", [
          ["Photo ID, not expired", true],
          ["Recent bank statement", true],
          ["Credit or debit card", true],
          ["Phone for sign-in codes", true],
          ["Tax number", true],
        ]),
      },
      {
        heading: "Two selling plans",
        say: ["The individual plan costs 99 cents for each item sold.", "The professional plan costs $39.99 a month."],
        drawing: draw.versus(
          ["Individual", "$0.99", "per item sold", "nothing when", "nothing sells"],
          ["Professional", "$39.99", "per month", "however many", "you sell"],
          "or",
        ),
      },
      {
        heading: "They cross at forty items",
        say: ["The two cross at about forty items a month.", "Below that, pay by the item."],
        drawing: draw.chart(
          "Cost per month",
          [
            [60, 460],
            [560, 130],
          ],
          [
            [172, 236, "Professional"],
            [500, 120, "Individual"],
            [360, 490, "40 items"],
          ],
          [
            [60, 262],
            [570, 262],
          ],
        ),
      },
      {
        heading: "One address, one spelling",
        say: [
          "Most applications stall on one small detail.",
          "The address you type must match your statement, letter for letter.",
        ],
        drawing: draw.versus(
          ["You typed", "Elm St", "14 Elm St", "Apartment 2"],
          ["Statement", "Elm Street", "14 Elm Street", "Unit 2"],
          "≠",
        ),
      },
    ],
  },
  {
    lessonId: "lesson-1-3",
    opening: "Four costs stand between a sale and your pocket.",
    slides: [
      {
        heading: "Meet them in order",
        say: ["Referral, fulfillment, storage, and shipping in.", "Each one follows a different rule."],
        drawing: draw.steps([
          ["Referral", "a share of the selling price"],
          ["Fulfillment", "by size and weight, per unit"],
          ["Storage", "by space, every month"],
          ["Shipping in", "your box to their door"],
        ]),
      },
      {
        heading: "Referral follows the price",
        say: ["The referral fee is a share of the price.", "Fifteen percent is common, so a $20 sale gives up $3."],
        drawing: draw.referralShare(),
      },
      {
        heading: "Fulfillment follows size",
        say: ["Fulfillment goes by size and weight.", "A big light toy can cost more to send than a small tool."],
        drawing: draw.sizeAgainstWeight(),
      },
      {
        heading: "Storage follows the calendar",
        say: ["Storage is charged for the space you fill.", "From October to December it costs far more."],
        drawing: draw.columns(
          "Storage rate through the year",
          [
            ["Jan-Mar", "low", 110],
            ["Apr-Jun", "low", 110],
            ["Jul-Sep", "low", 110],
            ["Oct-Dec", "peak", 310],
          ],
          1,
        ),
      },
    ],
  },
  {
    lessonId: "lesson-1-4",
    opening: "Your box has left the house. Here is what happens to it.",
    slides: [
      {
        heading: "Four stops",
        say: ["From your table it goes to receiving, then to a shelf.", "An order sends it on to somebody's porch."],
        drawing: draw.journey(),
      },
      {
        heading: "Receiving counts it",
        say: ["At receiving, the box is scanned and the units are counted.", "Compare their count with yours."],
        drawing: draw.receipt(
          "BOX 1 OF 2",
          [
            ["You sent", "24"],
            ["They counted", "23"],
            ["Missing", "1"],
          ],
          ["Ask about", "1 unit"],
        ),
      },
      {
        heading: "Who does what",
        say: ["You buy, prep and set the price.", "The center stores, packs, delivers and takes returns."],
        drawing: draw.versus(
          ["You", "Buy", "Prep and label", "Set the price", "Watch the count"],
          ["The center", "Store", "Pick and pack", "Deliver", "Take returns"],
          "+",
        ),
      },
      {
        heading: "Some units come back",
        say: ["A return in new condition goes back on the shelf.", "The rest is yours to take back or dispose of."],
        drawing: draw.returns(),
      },
    ],
  },
  {
    lessonId: "lesson-1-5",
    opening: "Your first $200 should teach you something, not scare you.",
    slides: [
      {
        heading: "Keep some for tape",
        say: ["Put $160 into stock.", "Keep $40 for labels, bags and tape."],
        drawing: draw.budget(),
      },
      {
        heading: "Eight small buys",
        say: ["Spread it over eight products, and no more than $20 on each.", "One mistake then costs you little."],
        drawing: draw.eightBuys(),
      },
      {
        heading: "Write it down",
        say: ["Write down every buy before you leave the parking lot.", "Store, item, price paid, price expected."],
        drawing: draw.receipt(
          "NOTEBOOK, TUESDAY",
          [
            ["Store", "Elm St"],
            ["Item", "Puzzle"],
            ["Paid", "7.49"],
            ["Expect to sell at", "24.00"],
          ],
          ["Expect to keep", "6.10"],
        ),
      },
      {
        heading: "Buy again when it returns",
        say: ["Spend the money again only after it has come back.", "That one rule keeps you in business."],
        drawing: draw.loop(["Buy", "Ship", "Sell", "Get paid"]),
      },
    ],
  },
  {
    lessonId: "lesson-2-1",
    opening: "Let's scan a first shelf together.",
    slides: [
      {
        heading: "Left to right, once",
        say: ["Start at one end and scan each item once.", "Jumping around is how you miss things."],
        drawing: draw.shelf(["$10.99", "$14.50", "$8.00", "$19.99", "$6.49", "$12.00"], 0, true),
      },
      {
        heading: "Same product?",
        say: ["First, check that the listing is the same product.", "Same brand, same size, same count."],
        drawing: draw.versus(
          ["In your hand", "24 ct", "markers", "fine tip"],
          ["On the listing", "48 ct", "markers", "fine tip"],
          "≠",
        ),
      },
      {
        heading: "Four numbers",
        say: ["When it matches, read four numbers.", "Sales rank, selling price, fees, and how many sellers."],
        drawing: draw.phone(
          "MARKERS, 48 CT",
          [
            ["Sales rank", "8,412"],
            ["Sells for", "$27.95"],
            ["Fees", "$9.10"],
            ["Sellers", "6"],
          ],
          "DO THE SUM",
          true,
        ),
      },
      {
        heading: "Decide at the shelf",
        say: ["Selling price, minus fees, minus the tag.", "$7.86 is left, so this one goes in the cart."],
        drawing: draw.receipt(
          "MARKERS, 48 CT",
          [
            ["Sells for", "27.95"],
            ["Fees", "-9.10"],
            ["On the tag", "-10.99"],
          ],
          ["Left for you", "7.86"],
        ),
      },
    ],
  },
  {
    lessonId: "lesson-2-2",
    opening: "One good day is not a history. Look at ninety of them.",
    slides: [
      {
        heading: "Low rank, fast sales",
        say: ["Rank one sells the most in its category.", "The larger the number, the longer you wait."],
        drawing: draw.columns(
          "Sales in a month, by rank",
          [
            ["1,000", "hourly", 320],
            ["10,000", "daily", 210],
            ["100,000", "weekly", 100],
            ["900,000", "rarely", 30],
          ],
          1,
        ),
      },
      {
        heading: "Every drop is a sale",
        say: ["When the rank line falls sharply, something was sold.", "Count the drops in the last ninety days."],
        drawing: draw.chart(
          "Sales rank, 90 days",
          [
            [60, 180],
            [110, 150],
            [120, 330],
            [210, 190],
            [220, 370],
            [300, 230],
            [310, 400],
            [400, 210],
            [410, 360],
            [490, 200],
            [500, 380],
            [570, 290],
          ],
          [
            [120, 362],
            [220, 402],
            [310, 432],
            [410, 392],
            [500, 412],
          ].map(([x = 0, y = 0], i) => [x, y, String(i + 1)] as const),
        ),
      },
      {
        heading: "Use the usual price",
        say: ["This price jumped to $41 for three days.", "It usually sits at $24, so do your sum with $24."],
        drawing: draw.chart(
          "Price, 90 days",
          [
            [60, 350],
            [180, 344],
            [300, 356],
            [390, 348],
            [400, 150],
            [436, 150],
            [446, 350],
            [570, 346],
          ],
          [
            [418, 130, "$41"],
            [180, 326, "$24"],
          ],
        ),
      },
      {
        heading: "Read the whole page",
        say: ["Steady drops and a steady price are good signs.", "A growing crowd of sellers is not."],
        drawing: draw.notebook("90 days", [
          ["Rank drops every few days", true],
          ["Price stays within $3", true],
          ["Sellers went from 4 to 15", false],
        ]),
      },
    ],
  },
  {
    lessonId: "lesson-2-3",
    opening: "Stores mark down in steps. Learn the steps.",
    slides: [
      {
        heading: "Start at the back",
        say: ["Markdowns gather on the end caps, away from the door.", "Walk the back wall before any aisle."],
        drawing: draw.storeMap(),
      },
      {
        heading: "Read the sticker",
        say: ["A clearance sticker tells you the first price, the day, and the step.", "Every store has its own way."],
        drawing: draw.clearanceSticker(),
      },
      {
        heading: "Thirty, fifty, seventy",
        say: ["Many stores go thirty, then fifty, then seventy percent off.", "Wait too long and the shelf is empty."],
        drawing: draw.columns(
          "One product, six weeks",
          [
            ["Week 0", "$40", 320],
            ["Week 2", "$28", 224],
            ["Week 4", "$20", 160],
            ["Week 6", "$12", 96],
          ],
          1,
        ),
      },
      {
        heading: "A page for each store",
        say: ["Note the day on which each department marks down.", "Next time, be there that morning."],
        drawing: draw.steps([
          ["Monday", "Toys and games"],
          ["Tuesday", "Kitchen"],
          ["Wednesday", "Sports"],
          ["Friday", "Seasonal"],
        ]),
      },
    ],
  },
  {
    lessonId: "lesson-2-4",
    opening: "Good buyers put most things back.",
    slides: [
      {
        heading: "Five reasons",
        say: ["Any one of these five is enough to put it back.", "You do not need a second."],
        drawing: draw.notebook("Put it back when", [
          ["You may not sell the brand", false],
          ["It sells once a month", false],
          ["The price is falling", false],
          ["It leaks, breaks or expires", false],
          ["Less than $4 is left", false],
        ]),
      },
      {
        heading: "Gated brands",
        say: [
          "Some brands need approval before you may list them.",
          "The seller app tells you, so check before you pay.",
        ],
        drawing: draw.phone(
          "SPORT SHOES",
          [
            ["Sales rank", "2,190"],
            ["Sells for", "$64.00"],
            ["Condition", "new"],
            ["Your account", "no"],
          ],
          "NEEDS APPROVAL",
          false,
        ),
      },
      {
        heading: "The closing gap",
        say: ["When ten sellers arrive, the price follows them down.", "Your box lands after the gap has closed."],
        drawing: draw.chart(
          "Price and sellers",
          [
            [60, 150],
            [180, 165],
            [280, 220],
            [380, 300],
            [480, 370],
            [570, 395],
          ],
          [
            [130, 136, "price"],
            [130, 400, "sellers"],
          ],
          [
            [60, 430],
            [200, 415],
            [300, 350],
            [400, 260],
            [480, 190],
            [570, 150],
          ],
        ),
      },
      {
        heading: "Fifty-six no, four yes",
        say: ["On an ordinary trip you scan sixty items and buy four.", "The other fifty-six are time well spent."],
        drawing: draw.scannedAndBought(),
      },
    ],
  },
  {
    lessonId: "lesson-3-1",
    opening: "Before a unit may travel, it spends a minute on your table.",
    slides: [
      {
        heading: "Peel the sticker",
        say: ["Warm the store sticker, then peel it slowly and low.", "Wipe off what stays behind."],
        drawing: draw.peel(),
      },
      {
        heading: "What it wears",
        say: ["Loose parts go in a bag, and glass goes in bubble wrap.", "Sharp edges get a guard."],
        drawing: draw.steps([
          ["Bag", "loose parts, cloth, plush"],
          ["Bubble wrap", "glass, ceramics, screens"],
          ["Guard", "blades, points, edges"],
          ["Nothing", "a sound, closed box"],
        ]),
      },
      {
        heading: "The warning on the bag",
        say: ["A bag that opens five inches or more must carry the warning.", "Buy bags with it printed on."],
        drawing: draw.polyBag(),
      },
      {
        heading: "Drop it yourself",
        say: ["Now drop it from three feet, flat and on its edges.", "If it breaks here, it would have broken there."],
        drawing: draw.dropTest(),
      },
    ],
  },
  {
    lessonId: "lesson-3-2",
    opening: "A label that scans the first time saves you a week.",
    slides: [
      {
        heading: "What the label says",
        say: ["The FNSKU says which product this is, and that it is yours.", "As a reseller, put one on every unit."],
        drawing: draw.labelAnatomy(),
      },
      {
        heading: "Where it goes",
        say: ["Stick it flat, over the maker's barcode.", "Then only one code can be scanned."],
        drawing: draw.labelPosition(),
      },
      {
        heading: "White at both ends",
        say: ["Leave a quarter inch of white at both ends of the bars.", "The scanner needs it to find the start."],
        drawing: draw.quietZone(),
      },
      {
        heading: "Three mistakes",
        say: ["Never around a corner, and never across the seam.", "And never leave two codes showing."],
        drawing: draw.labelMistakes(),
      },
    ],
  },
  {
    lessonId: "lesson-3-3",
    opening: "The last job: pack it, weigh it, send it.",
    slides: [
      {
        heading: "Heavy goes low",
        say: [
          "Heavy units go at the bottom, light ones on top.",
          "Fill every gap with paper, so that nothing rattles.",
        ],
        drawing: draw.packedBox(),
      },
      {
        heading: "Under fifty pounds",
        say: ["Weigh the closed box.", "The standard limit is fifty pounds, so stop well before it."],
        drawing: draw.scale(),
      },
      {
        heading: "Two labels, no seam",
        say: ["Each box carries a shipment label and a carrier label.", "Keep both flat, and off the tape seam."],
        drawing: draw.boxLabels(),
      },
      {
        heading: "Keep a line per box",
        say: ["Write down the count, the weight and the tracking number.", "That line settles any question later."],
        drawing: draw.receipt(
          "SHIPMENT LOG",
          [
            ["Box", "1 of 2"],
            ["Units", "24"],
            ["Weight", "38.4 lb"],
            ["Tracking", "...4471"],
          ],
          ["Status", "on its way"],
        ),
      },
    ],
  },
];
