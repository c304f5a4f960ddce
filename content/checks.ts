interface Question {
  id: string;
  text: string;
  explanation: string;
  /** The second of the lesson where it is said. */
  at: number | null;
}

interface Option {
  id: string;
  text: string;
  isRight: boolean;
}

export type BuiltInQuestion = Question &
  (
    | { kind: "one" | "several"; options: Option[] }
    | { kind: "number"; unit: string; tolerance: number; variants: { text: string; answer: number }[] }
    | { kind: "text"; answer: string; accepted: string[] }
  );

/** The checks of the demo's course, by lesson. The first option of a question is the first right one. */
export const checks: Readonly<Record<string, readonly BuiltInQuestion[]>> = {
  "lesson-1-1": [
    {
      id: "gap",
      kind: "one",
      text: "What is left for you from a sale?",
      options: [
        { id: "left", text: "The online price, minus the shelf price, minus the fees", isRight: true },
        { id: "difference", text: "The online price, minus the shelf price", isRight: false },
        { id: "price", text: "The online price, minus the fees", isRight: false },
      ],
      explanation: "The marketplace takes its fees from the price before you get anything, and you paid for the item.",
      at: 12,
    },
    {
      id: "sum",
      kind: "number",
      text: "What is left of this sale?",
      unit: "dollars",
      tolerance: 0,
      variants: [
        { text: "Bought for $9, sold for $25, fees of $8.", answer: 8 },
        { text: "Bought for $12, sold for $30, fees of $9.", answer: 9 },
        { text: "Bought for $7.50, sold for $20, fees of $7.", answer: 5.5 },
      ],
      explanation: "Take what you paid and the fees from the price.",
      at: 20,
    },
  ],
  "lesson-1-2": [
    {
      id: "papers",
      kind: "one",
      text: "What holds up most applications?",
      options: [
        { id: "address", text: "An address that differs between two documents", isRight: true },
        { id: "plan", text: "The wrong selling plan", isRight: false },
        { id: "photo", text: "A photo that is too large", isRight: false },
      ],
      explanation: "The reviewers compare every line of your documents.",
      at: 25,
    },
  ],
  "lesson-1-3": [
    {
      id: "size",
      kind: "several",
      text: "Which fees depend on an item’s size and weight?",
      options: [
        { id: "fulfillment", text: "Fulfillment", isRight: true },
        { id: "storage", text: "Storage", isRight: true },
        { id: "referral", text: "Referral", isRight: false },
      ],
      explanation: "One of the three is a share of the price, whatever the item weighs.",
      at: 15,
    },
    {
      id: "name",
      kind: "text",
      text: "What is the fee called that is a share of the price?",
      answer: "Referral fee",
      accepted: ["Referral"],
      explanation: "You owe it with every sale, for the buyer whom the marketplace brought.",
      at: 8,
    },
  ],
};
