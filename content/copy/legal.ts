interface Section {
  /** Never changes, because links use it. */
  id: string;
  title: string;
  /** Strings are paragraphs, lists of strings are lists. */
  text: readonly (string | readonly string[])[];
  withPrivacyChoices?: boolean;
}

interface Document {
  title: string;
  /** For search engines and previews. */
  description: string;
  /** A summary before the details, equally binding. */
  inShort: readonly string[];
  sections: readonly Section[];
}

/** The date of both texts, until the owner publishes others. */
export const legalTextsDate = "2025-07-19";

const privacyPolicy: Document = {
  title: "Privacy Policy",
  description: "What {academy} keeps about you, why, for how long, who else sees it, and how to get it out or deleted.",
  inShort: [
    "We keep what we need to teach you and to keep honest books, and we do not sell it.",
    "Your card number never reaches our servers.",
    "You can download your data and delete your account yourself, on your profile page.",
  ],
  sections: [
    {
      id: "who",
      title: "Who is responsible",
      text: [
        "{academy} runs this site and decides what is done with the data described here. You reach us about any of it at {email}; we answer within 24-48 hours.",
        "This policy covers the public pages, the course area, the contact form and the emails we send. Sites that we link to, such as the student Facebook group and the Telegram chat, have policies of their own.",
      ],
    },
    {
      id: "what-we-collect",
      title: "What we collect",
      text: [
        "Only what you give us or cause by using the academy:",
        [
          "Account: your name and email address, and whether you have confirmed it. Phone, location, a few lines about yourself and a picture only if you add them to your profile.",
          "Purchases: the plan, the amount, the dates, the payment provider’s transaction number, and the card’s brand and last four digits. For a plan that renews, the text you agreed to, with the time and the network address it was agreed from.",
          "Progress: which lessons you opened, how far you watched, and which ones you completed.",
          "Coaching: the sessions you booked and joined, your time zone, what you wrote to prepare and asked, and what your coach wrote for you.",
          "Messages: what you write in the contact form, with the name and email address you put there.",
          "Technical records: requests and errors, which we need to keep the site running and to stop misuse such as the testing of stolen cards.",
        ],
        "The course is not meant for children, and we do not knowingly keep data about anybody under 16.",
      ],
    },
    {
      id: "cards",
      title: "Card data",
      text: [
        "When you pay, your browser sends the card number, its expiry date and its security code straight to our payment provider. The provider answers with a token that is good for one payment, and that token is all that our server receives.",
        "We never store card numbers or security codes, on paper or anywhere else. For plans that renew, the provider keeps the card and gives us a reference to it; the reference is of no use to anyone but us.",
        "Please never send a card number by email or in the contact form.",
      ],
    },
    {
      id: "cookies",
      title: "Sessions and cookies",
      text: [
        "We set cookies for one purpose: signing you in. One lasts the minutes that signing in takes. The other holds a random number by which our server knows your session; it cannot be read by scripts, and it ends after 7 days without a visit, after 30 days at the latest, or when you sign out.",
        "Your browser also keeps the plan you chose (its tier, price and name), so that it is still there when you come back from signing in. It is cleared when the purchase is complete.",
        "There are no advertising cookies on this site, unless you allow those described in the next section.",
      ],
    },
    {
      id: "measurement",
      title: "Measurement",
      text: [
        "We may measure with Meta’s pixel whether an advertisement leads to a purchase. Where we do, a bar at the foot of the page asks you first, and nothing of Meta’s is loaded before you accept. If you decline, nothing is, and everything works the same. If your browser sends Global Privacy Control or Do Not Track, we take that as your answer and do not ask.",
        "If you accept, the pixel tells Meta that you opened a page of ours, looked at or bought a plan, with its name and price, set out to make an account, started a free lesson, or wrote to us. It sets the cookies _fbp and _fbc, by which Meta recognizes your browser, and Meta learns your network address as any site does that you visit. We give it no name, no email address, and nothing of your card. It is never loaded on a page where a card is entered.",
        "Apart from that, our server counts how often the pages before a purchase are opened on a day. It adds up openings, not people: no cookie is set for it, and no address and no name goes into it.",
        "Your answer is kept in your browser. You can change it at any time by Privacy choices at the foot of every page; if you decline then, the cookies are removed.",
      ],
      withPrivacyChoices: true,
    },
    {
      id: "use",
      title: "What we use it for",
      text: [
        [
          "To open the lessons you paid for and to show you where you left off.",
          "To charge, renew, cancel and refund, and to keep the accounts that the law asks for.",
          "To answer you.",
          "To protect accounts and payments against misuse.",
        ],
        "We do not sell your data or rent it out, and nobody advertises to you with it unless you accept the measurement described above. No decision about you that has legal effect is made by a machine alone.",
      ],
    },
    {
      id: "mails",
      title: "Emails we send",
      text: [
        "We write to you about your account and what you bought: confirming your address, resetting a password, receipts, a renewal that failed, the end of a yearly plan, and answers to your messages. These belong to the service, so they come without a way to unsubscribe other than closing the account.",
        "We send no newsletter unless you have asked for one.",
      ],
    },
    {
      id: "sharing",
      title: "Who else sees it",
      text: [
        "Companies that do a part of the work for us, and only what that part needs:",
        [
          "the payment provider, to charge and refund;",
          "the sign-in service, to check who you are;",
          "the companies that host our servers, deliver our emails and serve our videos;",
          "Meta, if you have accepted measurement.",
        ],
        "Beyond them we hand data over only where a law or a court obliges us to.",
      ],
    },
    {
      id: "retention",
      title: "How long we keep it",
      text: [
        [
          "Account, profile and progress: as long as you have an account.",
          "Purchases: as long as tax and accounting law requires, also after the account is gone, but then without your name and email address.",
          "With a purchase and a coupon code, a fingerprint of your confirmed email address stays: a code and the refund of a first purchase are for each person once, also after the account is deleted. Nobody can read the address from it.",
          "Sessions: until they end, as described above.",
          "Messages: for two years after the last word of either side, as a record of what was said, and no longer than the account that confirmed the same address; you can ask us to delete yours.",
        ],
      ],
    },
    {
      id: "your-rights",
      title: "Export, correction and deletion",
      text: [
        "You may see, correct, take with you and delete what we keep about you, and you may object to a use of it. Your profile page is where you change it, download your data and delete your account yourself. For everything else write to {email} from the address of your account.",
        [
          "Export: one archive with your account, picture, purchases, payments, progress, coaching, downloads, messages and sign-ins, in a form that programs can read.",
          "Deletion: we cancel any renewal first, have the payment provider delete your card, then erase your profile, picture, progress, messages, sessions and sign-in, and remove your name, email address and network address from the purchases we must keep. It cannot be undone, and access to the course ends with it.",
        ],
        "If you think we have handled your data wrongly, you can complain to the data protection authority where you live.",
      ],
    },
    {
      id: "security",
      title: "Security",
      text: [
        "Connections to the academy are encrypted. Sessions are kept on our server and can be ended there. Access to the records of students is limited to the people who need it for their work, and what they change is written down.",
        "No system is perfect. If something happens that puts your data at risk, we tell you and the authorities as the law requires.",
      ],
    },
    {
      id: "changes",
      title: "Changes to this policy",
      text: [
        "When we change this policy we change the date at the top. When a change matters to people who already have an account, we write to them before it takes effect.",
      ],
    },
  ],
};

const termsOfService: Document = {
  title: "Terms of Service",
  description:
    "The agreement between you and {academy}: plans and renewals, cancellation, refunds within {refundDays}, use of the lessons.",
  inShort: [
    "{plan:basic} renews every 30 days until you cancel; {plan:premium} and {plan:vip} are one payment each.",
    "Your first purchase can be refunded within {refundDays}.",
    "We teach a method. We do not promise you an income.",
  ],
  sections: [
    {
      id: "agreement",
      title: "The agreement",
      text: [
        "These terms apply when you make an account, buy a plan or use the lessons. If you do not agree with them, please do not use the academy.",
        "You must be at least 18 years old, or have a parent or guardian who agrees to these terms for you.",
      ],
    },
    {
      id: "account",
      title: "Your account",
      text: [
        "An account is for one person. Give us a correct email address, keep your sign-in to yourself, and tell us at {email} when you think that somebody else is using it.",
      ],
    },
    {
      id: "plans",
      title: "Plans and what they open",
      text: [
        [
          "{plan:basic} opens {modules:basic} for 30 days at a time.",
          "{plan:premium} opens {modules:premium} and live coaching for 365 days. It is one payment and does not renew automatically.",
          "{plan:vip} opens {modules:vip}, live coaching, all future updates, and 1-on-1 coaching: {coaching:vip}. What is promised on the day you buy is yours for good; your receipt and your coaching page keep that number. It is one payment and has no end date: it lasts for as long as we offer the course.",
        ],
        "Modules marked as coming soon are still in production. They are added to the plans that include them, at no extra cost, when they are released.",
        "Prices are in US dollars and are shown before you pay. What you pay is the price shown at the checkout on that day.",
      ],
    },
    {
      id: "renewal",
      title: "Payment and renewal",
      text: [
        "Payments are handled by our payment provider. You confirm that you may use the card you pay with.",
        "{plan:basic} renews every 30 days: the card you paid with is charged the price of the plan again, until you cancel. We say so before you pay and ask you to agree to it.",
        "When a renewal is declined we tell you by email and try again for up to 14 days, during which you keep your access. If no payment succeeds, the account is placed on hold until there is one.",
        "An answer from the bank can be late. While a payment is being confirmed we show it as such; please do not pay a second time.",
      ],
    },
    {
      id: "cancellation",
      title: "Cancellation",
      text: [
        "You can cancel a renewing plan at any time on your membership page, where it takes effect immediately, or by writing to {email}. We handle cancellation requests within 24 hours.",
        "Cancelling stops the next renewal. You keep your access until the end of the period you have paid for. {plan:premium} and {plan:vip} do not renew, so there is nothing to cancel.",
      ],
    },
    {
      id: "refunds",
      title: "Refunds",
      text: [
        [
          "You may ask for a refund within {refundDays} of your first purchase.",
          "It applies to first-time purchases only: not to renewals, and not to later purchases.",
          "After {refundDays} there are no refunds.",
          "The full amount goes back to the original payment method.",
        ],
        "Send the request to {email} from the address of your account. We answer within 24-48 hours. Banks often need some days more before the money is visible. When a purchase is refunded, the access it opened ends, unless our email about the refund says until when it stays open.",
        "Rights that the law of your country gives you as a consumer remain as they are.",
      ],
    },
    {
      id: "use",
      title: "Acceptable use",
      text: [
        "The lessons, downloads and pages belong to us or to those who let us use them. You may watch them and use the downloads for your own business. You may not:",
        [
          "share your account, or sell or lend access to it;",
          "copy, record, publish or resell lessons or downloads;",
          "try to get around the limits of a plan, disturb the site, or collect data from it by machine;",
          "post unlawful, insulting or misleading content in our communities, or advertise there;",
          "use what you learn here to deceive buyers or to break the rules of a marketplace.",
        ],
        "We may suspend an account that breaks these rules, and we say why. In serious cases we may close it.",
      ],
    },
    {
      id: "results",
      title: "No promise of results",
      text: [
        "This is training and not a promise of income. What you earn depends on your time, your capital, the stores near you, marketplace rules and prices that change every day. You can lose money buying inventory.",
        "Examples use round numbers to show a method, and testimonials describe one person’s experience. Nothing here is legal, tax or financial advice.",
        "{academy} is an independent training company. It is not affiliated with, endorsed by or sponsored by Amazon.",
      ],
    },
    {
      id: "availability",
      title: "Availability and changes",
      text: [
        "We work to keep the academy open at all hours, but there will be maintenance and there can be failures. We improve lessons and replace them when the marketplace changes.",
        "The tools and marketplaces that the course speaks of belong to others. They cost money of their own, and they may change without us.",
      ],
    },
    {
      id: "liability",
      title: "Liability",
      text: [
        "As far as the law allows, we are not liable for lost profits, lost inventory or decisions of a marketplace about your account, and our liability is limited to what you paid us in the 12 months before the claim. Nothing in these terms limits liability that the law does not allow to be limited.",
      ],
    },
    {
      id: "changes",
      title: "Changes to these terms",
      text: [
        "When we change these terms we change the date at the top. When a change affects a plan you have paid for, we write to you before it takes effect, and you may cancel. A purchase is governed by the terms of the day it was made.",
        "Questions about these terms are welcome at {email}.",
      ],
    },
  ],
};

/**
 * The texts in the form that the owner edits. On pages, `{email}` becomes a link to support, `{modules:vip}` what that
 * tier opens, and `{coaching:vip}` that plan's promise of 1-on-1 coaching.
 */
export const legalCopy = {
  terms: { part: "terms" as const, ...written(termsOfService) },
  privacy: { part: "privacy" as const, ...written(privacyPolicy) },
};

function written({ inShort, sections, ...rest }: Document) {
  return {
    ...rest,
    inShort: [...inShort],
    sections: sections.map(({ id, title, text, withPrivacyChoices = false }) => ({
      id,
      title,
      text: text
        .map((block) => (typeof block === "string" ? block : block.map((item) => `- ${item}`).join("\n")))
        .join("\n\n"),
      privacyChoices: withPrivacyChoices,
    })),
  };
}
