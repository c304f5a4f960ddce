/** The message after a successful payment, by tier, with the marks of `withCourse`. */
export const welcomeMessages = {
  basic: "Welcome to {plan:basic}. You have {modules:basic}; start with the first lesson whenever you like.",
  premium: "Welcome to {plan:premium}. You have {modules:premium} and the live coaching for a year.",
  vip: "Welcome to {plan:vip}. Every module, 1-on-1 coaching and all future updates are yours.",
} as const;
