import { supportedBrowsers } from "./browsers.ts";

export const contactPage = { title: "Contact" } as const;

/** Links to sections of the landing page that answer most questions faster than a message. */
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
} as const;

export const browsers = {
  title: "Browsers",
  text: `Lessons and checkout work in ${supportedBrowsers}.`,
} as const;

export const generalInquiries = { title: "General inquiries" } as const;

export const refundPolicy = { title: "Refund policy", headline: "{refundDays}" } as const;

export const contactInformation = {
  title: "Contact information",
} as const;

export const businessHours = { title: "Business hours" } as const;

export const responseTimes = { title: "Response times" } as const;

export const contactForm = {
  title: "Send us a message",
  success: "Your message has been sent successfully. We'll get back to you soon!",
  failure: "Failed to send message. Please try again.",
} as const;
