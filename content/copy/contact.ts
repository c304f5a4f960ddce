/** The contact page's editable texts. `content/contact.ts` has the fixed ones. */
export const contactCopy = {
  part: "contact" as const,
  headline: "Bring it to the service desk.",
  lead: "A person reads every message. We typically answer within 24 hours.",
  description:
    "Write to {academy}: technical, billing and program support, general inquiries, refunds, hours and response times.",
  support: [
    {
      id: "technical",
      title: "Technical support",
      text: "A video that will not play, a page that will not open, trouble signing in.",
      include: "Tell us: the page, your device and browser, and what you saw.",
    },
    {
      id: "billing",
      title: "Billing support",
      text: "A charge you do not recognize, a declined renewal, a cancellation, a refund. Cancellation requests are handled within 24 hours.",
      include: "Tell us: the email of your account and the date of the charge. Never send a card number.",
    },
  ],
  programTitle: "Program support",
  programText: "Questions about lessons, products and shipments are answered where other students can learn from them.",
  inquiriesLead: "Answered within 24-72 hours.",
  inquiries: [
    {
      id: "general",
      title: "General",
      text: "Anything about the course that the questions on our front page leave open.",
      include: null,
    },
    {
      id: "partnership",
      title: "Partnership",
      text: "Tools, prep centers and teachers who want to work with us.",
      include: null,
    },
    {
      id: "media",
      title: "Media",
      text: "Interviews, quotes and pictures for something you are writing.",
      include: null,
    },
  ],
  refundText:
    "You can have your money back within {refundDays} of your first purchase. It covers first-time purchases only; after {refundDays} there are no refunds. The money goes back to the original payment method.",
  refundHow: "To ask for it, write to {email} from the address of your account. We answer within 24-48 hours.",
  times: [
    { id: "support", about: "Support", within: "Typically within 24 hours" },
    { id: "inquiries", about: "General inquiries", within: "24-72 hours" },
    { id: "refunds", about: "Refund requests", within: "24-48 hours" },
    { id: "cancellations", about: "Cancellation requests", within: "Within 24 hours" },
  ],
};
