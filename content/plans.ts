/** The three seeded plans. Prices are in cents and exist nowhere else. */
export interface BuiltInPlan {
  /** The payment price id in checkout URLs. */
  id: string;
  name: string;
  priceCents: number;
  tier: "basic" | "premium" | "vip";
  billing: "monthly" | "annual" | "lifetime";
  description: string;
  /** With the marks of `withCourse`. */
  features: string[];
  /** The seeded promise of 1-on-1 coaching, which pages print from the plan. 0 sessions: none. */
  coaching: { sessions: number; everyDays: number; minutes: number };
  /** With the marks of `withPlanNames`. */
  buttonLabel: string;
}

/** Pages and emails use the published names. */
export const builtInPlanNames = { basic: "Monthly Access", premium: "Annual Access", vip: "Lifetime Access" } as const;

export const plans: readonly BuiltInPlan[] = [
  {
    id: "basic_monthly",
    name: builtInPlanNames.basic,
    priceCents: 49_00,
    tier: "basic",
    billing: "monthly",
    description: "The full path from your first shelf to your first shipment, paid a month at a time.",
    features: [
      "{Modules:basic}: fundamentals, scanning, prep and shipping",
      "Downloads for every module you can open",
      "Cancel any time; you keep the days you paid for",
    ],
    coaching: { sessions: 0, everyDays: 30, minutes: 30 },
    buttonLabel: "Start Monthly",
  },
  {
    id: "premium_annual",
    name: builtInPlanNames.premium,
    priceCents: 397_00,
    tier: "premium",
    billing: "annual",
    description: "A year to learn at your own pace, with a coach on the line when a deal puzzles you.",
    features: ["{Modules:premium}{soon:premium}", "Live coaching sessions with the group"],
    coaching: { sessions: 0, everyDays: 30, minutes: 30 },
    buttonLabel: "Get the Year",
  },
  {
    id: "vip_lifetime",
    name: builtInPlanNames.vip,
    priceCents: 1497_00,
    tier: "vip",
    billing: "lifetime",
    description: "Everything we teach now and later, and a coach who looks at your own numbers with you.",
    features: ["{Modules:vip}{soon:vip}", "Live coaching sessions with the group", "All future updates"],
    coaching: { sessions: 1, everyDays: 30, minutes: 30 },
    buttonLabel: "Get {plan:vip}",
  },
];
