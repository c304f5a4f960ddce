/** The question about analytics that visitors are asked where META_PIXEL_ID is configured. */
export const measuring = {
  question: "May we measure this visit?",
  explanation:
    "If you accept, Meta's pixel is loaded. It tells Meta which pages you open here and which plan you buy, so that we can see whether an advertisement paid off. It gets no name, no email address and nothing of your card. The academy works the same if you decline.",
  more: "What is measured",
  decline: "Decline",
  accept: "Accept",
} as const;
