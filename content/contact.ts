export interface HelpTopic {
  title: string;
  text: string;
  /** Printed under the text: what to put into the message, so that one answer is enough. */
  include?: string;
}

export const contactPage = {
  title: "Contact",
  description:
    "Write to {academy}: technical, billing and program support, general inquiries, refunds, hours and response times.",
  headline: "Bring it to the service desk.",
  lead: "A person reads every message. We typically answer within 24 hours.",
} as const;

/** Links into the landing page that answer most questions faster than we can. */
export const quickHelp = {
  title: "Quick help",
  links: [
    { section: "faq", label: "Frequently asked questions" },
    { section: "course", label: "What the course covers" },
    { section: "pricing", label: "Plans and prices" },
  ],
} as const;

export const support = {
  title: "Support",
  topics: [
    {
      title: "Technical support",
      text: "A video that will not play, a page that will not open, trouble signing in.",
      include: "Tell us: the page, your device and browser, and what you saw.",
    },
    {
      title: "Billing support",
      text: "A charge you do not recognize, a declined renewal, a cancellation, a refund. Cancellation requests are handled within 24 hours.",
      include: "Tell us: the email of your account and the date of the charge. Never send a card number.",
    },
  ] satisfies HelpTopic[],
  program: {
    title: "Program support",
    text: "Questions about lessons, products and shipments are answered where other students can learn from them.",
  },
} as const;

export const generalInquiries = {
  title: "General inquiries",
  lead: "Answered within 24-72 hours.",
  topics: [
    { title: "General", text: "Anything about the course that the questions on our front page leave open." },
    { title: "Partnership", text: "Tools, prep centers and teachers who want to work with us." },
    { title: "Media", text: "Interviews, quotes and pictures for something you are writing." },
  ] satisfies HelpTopic[],
} as const;

export const refundPolicy = {
  title: "Refund policy",
  headline: "{refundDays}",
  text: "You can have your money back within {refundDays} of your first purchase. It covers first-time purchases only; after {refundDays} there are no refunds. The money goes back to the original payment method.",
  how: "To ask for it, write to {email} from the address of your account. We answer within 24-48 hours.",
} as const;

export const contactInformation = {
  title: "Contact information",
} as const;

export const businessHours = { title: "Business hours" } as const;

export const responseTimes = {
  title: "Response times",
  times: [
    { about: "Support", within: "Typically within 24 hours" },
    { about: "General inquiries", within: "24-72 hours" },
    { about: "Refund requests", within: "24-48 hours" },
    { about: "Cancellation requests", within: "Within 24 hours" },
  ],
} as const;

export const contactForm = {
  title: "Send us a message",
  success: "Your message has been sent successfully. We'll get back to you soon!",
  failure: "Failed to send message. Please try again.",
} as const;
