import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Tier } from "../tiers.ts";
import { MoneyQuery, Period } from "./statistics.ts";

const cents = z.int().describe("US cents");
const month = z.iso.date().describe("The first day of the month");

/** Days are those of the academy's time zone, weeks begin on Monday: the last 30 days, 12 weeks or 12 months. */
export const FiguresQuery = MoneyQuery;

const span = {
  by: Period,
  from: z.iso.date(),
  to: z.iso.date(),
};

const SignUpFigures = z.object({
  signUps: z.int().describe("Accounts that were made, those deleted since included"),
  paid: z.int().describe("Of these accounts, those that have paid at least once until now, refunded or not"),
});
export type SignUpFigures = z.infer<typeof SignUpFigures>;

export const SignUps = z
  .object({
    ...span,
    total: SignUpFigures,
    periods: z.array(SignUpFigures.extend({ start: z.iso.date() })).describe("Oldest first, without gaps"),
  })
  .meta({ id: "SignUps" });
export type SignUps = z.infer<typeof SignUps>;

export const getSignUps = endpoint({
  method: "GET",
  path: "/api/admin/figures/sign-ups",
  permission: "money:read",
  summary: "Sign-ups by day, week or month, and how many of them have paid since",
  query: FiguresQuery,
  reply: SignUps,
});

const FunnelFigures = z.object({
  landing: z.int().describe("Openings of the landing page by visitors who are not signed in"),
  plan: z.int().describe("Openings of the sign-up page or the checkout with a plan by visitors who are not signed in"),
  account: z.int().describe("Accounts that were made, and sign-ins of older accounts on the way to the checkout"),
  card: z.int().describe("Students who submitted a card and had never paid before"),
  paid: z.int().describe("Of these, those whose payment went through"),
});
export type FunnelFigures = z.infer<typeof FunnelFigures>;
export type FunnelStep = keyof FunnelFigures;

export const Funnel = z
  .object({
    ...span,
    countedFrom: z.iso.date().nullable().describe("The first day on which openings were counted; null: none were yet"),
    total: FunnelFigures,
    periods: z.array(FunnelFigures.extend({ start: z.iso.date() })).describe("Oldest first, without gaps"),
  })
  .meta({ id: "Funnel" });
export type Funnel = z.infer<typeof Funnel>;

export const getFunnel = endpoint({
  method: "GET",
  path: "/api/admin/figures/funnel",
  permission: "money:read",
  summary: "How many come from the landing page to a paid purchase, step by step, by day, week or month",
  query: FiguresQuery,
  reply: Funnel,
});

const KeptMonth = z.object({
  students: z.int().describe("Who paid for this many more periods of 30 days"),
  of: z.int().describe("Of the cohort, those who have been there long enough"),
});
export type KeptMonth = z.infer<typeof KeptMonth>;

export const Cohort = z.object({
  month: month.describe("When its students first paid for the plan that renews"),
  students: z.int(),
  kept: z.array(KeptMonth).describe("The first entry is the first period itself; as long as anybody could be there"),
});
export type Cohort = z.infer<typeof Cohort>;

export const Retention = z.object({ cohorts: z.array(Cohort).describe("Newest first") }).meta({ id: "Retention" });
export type Retention = z.infer<typeof Retention>;

export const getRetention = endpoint({
  method: "GET",
  path: "/api/admin/figures/retention",
  permission: "money:read",
  summary: "How many students of the plan that renews go on paying, by the month of their first payment",
  reply: Retention,
});

const ValueFigures = z.object({
  students: z.int().describe("Who have paid at least once"),
  chargedCents: cents,
  refundedCents: cents.describe("US cents that went back: refunds, voids and disputes"),
  netCents: cents.describe("US cents: charged minus refunded"),
  valueCents: cents.describe("US cents of one student: net by students, rounded to the cent"),
});
export type ValueFigures = z.infer<typeof ValueFigures>;

export const LifetimeValue = z
  .object({
    total: ValueFigures,
    plans: z
      .array(ValueFigures.extend({ tier: Tier, planName: z.string() }))
      .describe("By the plan of the first payment, with all that its students paid later, whatever for"),
    cohorts: z.array(ValueFigures.extend({ month })).describe("By the month of the first payment, newest first"),
  })
  .meta({ id: "LifetimeValue" });
export type LifetimeValue = z.infer<typeof LifetimeValue>;

export const getLifetimeValue = endpoint({
  method: "GET",
  path: "/api/admin/figures/value",
  permission: "money:read",
  summary: "What a student has brought until now, net of what went back, by first plan and by month",
  reply: LifetimeValue,
});
