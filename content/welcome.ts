/** The message after a successful payment, by tier. */
export const welcomeMessages = {
  basic: "Welcome to Monthly Access. Modules 1 to 3 are open; start with the first lesson whenever you like.",
  premium: "Welcome to Annual Access. Modules 1 to 4 and the live coaching are yours for a year.",
  vip: "Welcome to Lifetime Access. Every module, 1-on-1 coaching and all future updates are yours.",
} as const;
