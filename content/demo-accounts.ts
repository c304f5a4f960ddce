/** The users of the demo academy. Seeded only for the demo, never in production. */
export interface DemoAccount {
  subject: string;
  email: string;
  firstName: string;
  lastName: string;
  /** The purchased plan. Null for a user who has only signed up. */
  plan: null | "basic_monthly" | "premium_annual" | "vip_lifetime";
  state: "active" | "on_hold" | "suspended";
  /** The role in the team. Null for students. `admin@academy.test` is an owner by ADMIN_EMAILS. */
  role: null | "owner" | "support" | "coach";
}

export const demoPassword = "academy-demo";

export const demoAccounts: readonly DemoAccount[] = [
  {
    subject: "demo-admin",
    email: "admin@academy.test",
    firstName: "Ruth",
    lastName: "Okafor",
    plan: null,
    state: "active",
    role: "owner",
  },
  {
    subject: "demo-new",
    email: "new@academy.test",
    firstName: "Toby",
    lastName: "Lindqvist",
    plan: null,
    state: "active",
    role: null,
  },
  {
    subject: "demo-basic",
    email: "basic@academy.test",
    firstName: "Marisol",
    lastName: "Vega",
    plan: "basic_monthly",
    state: "active",
    role: null,
  },
  {
    subject: "demo-premium",
    email: "premium@academy.test",
    firstName: "Desmond",
    lastName: "Clarke",
    plan: "premium_annual",
    state: "active",
    role: null,
  },
  {
    subject: "demo-vip",
    email: "vip@academy.test",
    firstName: "Hana",
    lastName: "Petrovic",
    plan: "vip_lifetime",
    state: "active",
    role: null,
  },
  {
    subject: "demo-coach",
    email: "coach@academy.test",
    firstName: "Dana",
    lastName: "Weiss",
    plan: null,
    state: "active",
    role: "coach",
  },
  {
    subject: "demo-support",
    email: "helpdesk@academy.test",
    firstName: "Imani",
    lastName: "Brandt",
    plan: null,
    state: "active",
    role: "support",
  },
  {
    subject: "demo-held",
    email: "held@academy.test",
    firstName: "Walter",
    lastName: "Nguyen",
    plan: "basic_monthly",
    state: "on_hold",
    role: null,
  },
  {
    subject: "demo-suspended",
    email: "suspended@academy.test",
    firstName: "Colleen",
    lastName: "Barker",
    plan: "basic_monthly",
    state: "suspended",
    role: null,
  },
];
