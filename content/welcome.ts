/** The message after a successful payment, by tier, with the marks of `withCourse`. */
export const welcomeMessages = {
  basic: "Welcome to Monthly Access. You have {modules:basic}; start with the first lesson whenever you like.",
  premium: "Welcome to Annual Access. You have {modules:premium} and the live coaching for a year.",
  vip: "Welcome to Lifetime Access. Every module, 1-on-1 coaching and all future updates are yours.",
} as const;
