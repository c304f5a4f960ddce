import { expect, signInAs, test } from "../academy.ts";

/** Texts that pages must contain word for word: by path and selector, complete and in order. */
const texts: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "/": {
    "nav.for-visitors[aria-label=Main] a": [
      "Course",
      "Instructor",
      "Reviews",
      "Pricing",
      "Contact",
      "Login",
      "Sign Up",
      "Enroll Now",
    ],
    "main section[id] > :first-child > :first-child h2, #hero h2": [
      "Free training videos",
      "What you will be able to do",
      "Who teaches it",
      "From students’ notebooks",
      "Three tags, one course",
      "Asked at the register",
    ],
    "#hero ul li": ["500+ students enrolled", "4.9/5 average student rating", "30-day program, at your own pace"],
    "[aria-labelledby=inside-title] h3": [
      "Lessons that keep your place",
      "Examples to work through",
      "Time with a coach",
      "One total, before you pay",
    ],
    "[aria-labelledby=inside-title] .aspect-video p": ["Let's scan a first shelf together."],
    "#course li .badge-tag": ["Coming soon"],
    "[aria-labelledby=materials-title] .badge-tag": ["Available 9/25", "Available 10/25"],
    "#pricing [role=timer]": ["23:59:47"],
    "#pricing p.text-tag": ["50% off every plan"],
    "#pricing article h3": ["Monthly Access", "Annual Access", "Lifetime Access"],
    "#pricing h3 + p": [
      "$49 Original price $98 every 30 days",
      "$397 Original price $794 a year",
      "$1497 Original price $2994 once",
    ],
    "#pricing h3 + p + p": [
      "Renews every 30 days until you cancel",
      "One-time payment for 365 days, no renewal",
      "One-time payment, no end date",
    ],
    "#pricing li .badge-tag": ["Most Popular", "Save 30%"],
    "#pricing li li": [
      "Modules 1-3: fundamentals, scanning, prep and shipping",
      "Downloads for every module you can open",
      "Cancel any time; you keep the days you paid for",
      "Modules 1-4 (module 4 is coming soon)",
      "Live coaching sessions with the group",
      "Modules 1-5 (modules 4 and 5 are coming soon)",
      "All future updates",
      "1-on-1 coaching: one session of 30 minutes every 30 days",
    ],
    "#pricing .plan-features > p": ["Everything in Monthly Access, plus:", "Everything in Annual Access, plus:"],
    "#pricing tr": [
      "Monthly Access Annual Access Lifetime Access",
      "Module 1 Amazon FBA Fundamentals Included Included Included",
      "Module 2 Store Scanning Mastery Included Included Included",
      "Module 3 Product Preparation & Fulfillment Included Included Included",
      "Module 4 How to Find Winning Products Coming soon – Not included Included Included",
      "Module 5 Capital Raising and Credit Building Masterclass Coming soon – Not included – Not included Included",
      "Group coaching – Not included Included Included",
      "1-on-1 coaching – Not included – Not included One session of 30 minutes every 30 days",
      "Access 30 days 365 days No end date",
      "Renewal Every 30 days None None",
    ],
    "#pricing form button": ["Start Monthly", "Get the Year", "Get Lifetime Access"],
    "#faq summary": [
      "Do I need to have sold anything before?",
      "How much money do I need besides the course?",
      "Is there software I have to pay for?",
      "How does the monthly plan renew?",
      "Can I get my money back?",
      "What do Annual Access and Lifetime Access add?",
      "How much will I make?",
    ],
    "#faq-analysis-tool p": [
      "Yes, one. The product analysis tool that we use to read sales rank and price history costs $29.95 per month. You pay its maker directly; it is not part of any of our plans. You do not need it for module 1.",
    ],
  },
  "/contact": {
    "main h2": [
      "Quick help",
      "Send us a message",
      "Support",
      "General inquiries",
      "Refund policy",
      "Contact information",
      "Business hours",
      "Response times",
      "Results disclaimer",
    ],
    "main h3": [
      "Technical support",
      "Billing support",
      "Browsers",
      "Program support",
      "General",
      "Partnership",
      "Media",
    ],
    "main dl div": [
      "Email support@academy.test",
      "Phone +1 (202) 555-0142",
      "Office Mon-Fri 10am-6pm",
      "Mon-Fri 9-6 EST",
      "Sat 10-4 EST",
      "Sun Closed",
      "Support Typically within 24 hours",
      "General inquiries 24-72 hours",
      "Refund requests 24-48 hours",
      "Cancellation requests Within 24 hours",
    ],
    "main p.narrow, main p.narrow ~ p": [
      "7 days",
      "You can have your money back within 7 days of your first purchase. It covers first-time purchases only; after 7 days there are no refunds. The money goes back to the original payment method.",
      "To ask for it, write to support@academy.test from the address of your account. We answer within 24-48 hours.",
    ],
    "main nav a": ["Frequently asked questions", "What the course covers", "Plans and prices"],
    "a[href^=tel]": ["Call us"],
    "main a[rel=noreferrer]": ["Student Facebook group", "Telegram chat"],
    "main form label": ["Name", "Email", "Message", "Website"],
    "main form button": ["Send Message"],
  },
  "/signup": { h1: ["Create your account"], "main button": ["Create account"] },
  "/sitemap": {
    "main h2": ["Home", "Start here", "For students", "Legal", "Technical information", "External resources"],
    "main code": ["/stripe-status", "/stripe-test"],
  },
  "/privacy-policy": {
    h1: ["Privacy Policy"],
    "h1 + p": ["Last updated July 19, 2025"],
    "#who p:first-of-type": [
      "Academy runs this site and decides what is done with the data described here. You reach us about any of it at support@academy.test ; we answer within 24-48 hours.",
    ],
  },
  "/terms-of-service": {
    h1: ["Terms of Service"],
    "h1 + p": ["Last updated July 19, 2025"],
    "#plans li": [
      "Monthly Access opens modules 1-3 for 30 days at a time.",
      "Annual Access opens modules 1-4 and live coaching for 365 days. It is one payment and does not renew automatically.",
      "Lifetime Access opens modules 1-5, live coaching, all future updates, and 1-on-1 coaching: one session of 30 minutes every 30 days. What is promised on the day you buy is yours for good; your receipt and your coaching page keep that number. It is one payment and has no end date: it lasts for as long as we offer the course.",
    ],
    "#cancellation p:first-of-type": [
      "You can cancel a renewing plan at any time on your membership page, where it takes effect immediately, or by writing to support@academy.test . We handle cancellation requests within 24 hours.",
    ],
    "#refunds li": [
      "You may ask for a refund within 7 days of your first purchase.",
      "It applies to first-time purchases only: not to renewals, and not to later purchases.",
      "After 7 days there are no refunds.",
      "The full amount goes back to the original payment method.",
    ],
    "#refunds p:first-of-type": [
      "Send the request to support@academy.test from the address of your account. We answer within 24-48 hours. Banks often need some days more before the money is visible. When a purchase is refunded, the access it opened ends, unless our email about the refund says until when it stays open.",
    ],
  },
  "/no/such/page": { title: ["404 Page Not Found | Academy"], h1: ["404 Page Not Found"] },
};

test("the texts of public pages and of each state are the specification's, word for word", async ({ page }) => {
  await page.goto("/robots.txt");
  const found = await page.evaluate(async (texts) => {
    const read = (element: Element) => {
      const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const words: string[] = [];
      while (nodes.nextNode()) words.push(nodes.currentNode.textContent ?? "");
      return words.join(" ").replaceAll(/\s+/g, " ").trim();
    };
    const pages = Object.entries(texts).map(async ([path, selectors]) => {
      const html = await (await fetch(path)).text();
      const parsed = new DOMParser().parseFromString(html, "text/html");
      const all = Object.keys(selectors).map((selector) => [
        selector,
        [...parsed.querySelectorAll(selector)].map(read),
      ]);
      return [path, Object.fromEntries(all)];
    });
    return Object.fromEntries(await Promise.all(pages));
  }, texts);
  expect(found).toEqual(texts);

  const toast = page.getByRole("region", { name: /^Notifications/ }).locator("p");
  const title = page.getByRole("heading", { level: 1 });
  const button = (name: string) => page.getByRole("button", { name, exact: true });

  await page.route("**/api/login?**", (route) => route.abort("aborted"));
  const sentToSignIn = page.waitForRequest("**/api/login?**");
  await page.goto("/course-access");
  await expect(toast).toHaveText(["Login Required", "Please log in to access your course dashboard."]);
  await sentToSignIn;
  await page.goto("/checkout?tier=vip&priceId=vip_lifetime&name=Lifetime%20Access&price=1497");
  await expect(title).toHaveText("Authentication required");

  await page.goto("/signup?tier=vip&priceId=vip_lifetime&price=1497");
  const leaving = page.waitForRequest("**/api/login?**");
  await button("Create account").click();
  await leaving;
  await expect(button("Creating account…")).toBeDisabled();
  await page.unroute("**/api/login?**");

  await signInAs(page, "new@academy.test", "/");
  const bar = page.getByRole("navigation", { name: "Main" }).getByRole("link");
  await expect(bar).toHaveText(["Dashboard", "Profile", "Logout"]);
  await page.route("**/api/course-pricing", (route) => route.fulfill({ status: 503, body: "" }));
  await page.reload();
  await button("Start Monthly").click();
  await expect(toast).toHaveText([
    "Payment Setup Required",
    "Payment processing is being configured. Please try again shortly.",
  ]);
  await page.route("**/api/auth/user", (route) => route.fulfill({ status: 503, body: "" }));
  await page.reload();
  await button("Get Lifetime Access").click();
  await expect(toast).toHaveText(["Error", "Failed to start checkout. Please try again."]);
  // The toast disappears, but the page keeps its text.
  const kept = page.getByRole("main").getByText("Failed to start checkout. Please try again.", { exact: true });
  await expect(kept).toBeVisible();
});
