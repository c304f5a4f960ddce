import { z } from "zod";
import { isInCalendar } from "../dates.ts";
import { endpoint } from "../endpoint.ts";
import { Tier } from "../tiers.ts";

export const AdminStats = z
  .object({
    totalUsers: z.int().describe("Without deleted accounts"),
    totalRevenue: z.number().describe("US dollars: approved charges minus what went back, to the cent"),
    activeSubscriptions: z.int().describe("Those that renew and whose payment is not declined"),
    totalContacts: z.int(),
    declinedSubscriptions: z
      .int()
      .describe("Until they are paid, cancelled or on hold, as the purchases `unresolved` are"),
    blockedAccounts: z.int().describe("On hold or suspended"),
    openDiscrepancies: z.int().describe("Where the gateway's books and ours differ"),
  })
  .meta({ id: "AdminStats" });
export type AdminStats = z.infer<typeof AdminStats>;

export const getStats = endpoint({
  method: "GET",
  path: "/api/admin/stats",
  summary: "The numbers of the administrator's first page",
  permission: "money:read",
  reply: AdminStats,
});

const count = z.int().nullable();

export const Waiting = z
  .object({
    messages: count.describe("Nobody has answered them"),
    questions: count.describe("Nobody has answered them, or somebody reported them"),
    drafts: count.describe("Not published yet"),
    reviews: count.describe("Lessons that are due for review"),
    discrepancies: count.describe("Where the gateway's books and ours differ"),
  })
  .meta({ id: "Waiting" });
export type Waiting = z.infer<typeof Waiting>;

export const getWaiting = endpoint({
  method: "GET",
  path: "/api/admin/waiting",
  summary: "How much waits for the team, beside the links of the administration; null for what the role may not see",
  permission: "people:read",
  reply: Waiting,
});

export const Period = z.enum(["day", "week", "month"]);
export type Period = z.infer<typeof Period>;

const day = z.iso.date().refine(isInCalendar, "Not a day of this calendar");

/** Days are those of the academy's time zone, weeks begin on Monday. Without dates: the last 30 days, 12 weeks or 12 months. */
export const MoneyQuery = z.strictObject({
  by: Period.default("day"),
  from: day.optional().describe("The first day, such as 2026-01-31"),
  to: day.optional().describe("The last day; at most 400 periods after the first"),
});
export type MoneyQuery = z.infer<typeof MoneyQuery>;

const dollars = z.number().describe("US dollars, to the cent");

export const MoneyFigures = z.object({
  charged: dollars,
  charges: z.int(),
  refunded: dollars,
  refunds: z.int(),
  revenue: z.number().describe("US dollars: charged minus refunded"),
  newSubscriptions: z.int(),
  lostSubscriptions: z.int().describe("Cancelled, replaced, refunded, declined or held, when they stopped to renew"),
  declines: z.int().describe("Renewals that were declined, each try counted"),
  recoveries: z.int().describe("Renewals that went through after a decline"),
});
export type MoneyFigures = z.infer<typeof MoneyFigures>;

export const Money = z
  .object({
    by: Period,
    from: z.iso.date(),
    to: z.iso.date(),
    total: MoneyFigures,
    mrr: z.number().describe("US dollars that the subscriptions bring each 30 days, at the end of the last period"),
    subscriptions: z.int().describe("At the end of the last period"),
    periods: z
      .array(
        MoneyFigures.extend({
          start: z.iso.date().describe("The period's first day"),
          mrr: z.number().describe("US dollars each 30 days, at the end of the period"),
          subscriptions: z.int().describe("At the end of the period"),
        }),
      )
      .describe("Oldest first, without gaps"),
    plans: z
      .array(z.object({ tier: Tier, planName: z.string(), purchases: z.int(), charged: dollars }))
      .describe("What was charged between the dates, by plan"),
  })
  .meta({ id: "Money" });
export type Money = z.infer<typeof Money>;

export const getMoney = endpoint({
  method: "GET",
  path: "/api/admin/money",
  summary: "Revenue, refunds, subscriptions, declines and recoveries by day, week or month",
  permission: "money:read",
  query: MoneyQuery,
  reply: Money,
});

const LearningFigures = z.object({
  started: z.int().describe("Students who have begun it"),
  completed: z.int(),
  watchSeconds: z.number().describe("All students together"),
  downloads: z.int().describe("Of its resources"),
});
export type LearningFigures = z.infer<typeof LearningFigures>;

export const Learning = z
  .object({
    asOf: z.iso.datetime().describe("When it was counted; it is counted anew every few minutes"),
    students: z.int().describe("Who have begun any lesson"),
    modules: z.array(
      LearningFigures.extend({
        moduleId: z.string(),
        position: z.int(),
        title: z.string(),
        requiredTier: Tier,
        completed: z.int().describe("Students who have completed every lesson of it that has a video"),
        lessons: z.array(
          LearningFigures.extend({
            lessonId: z.string(),
            title: z.string(),
            comingSoon: z.boolean(),
            duration: z.int().describe("Seconds"),
            questions: z.int().describe("Asked about it, without hidden ones"),
            stoppedHere: z
              .int()
              .describe(
                "Students for whom it is the last lesson of the course that they began, and who have not completed it",
              ),
            lastCompleted: z
              .int()
              .describe(
                "Students for whom it is the last lesson of the course that they began, and who have completed it",
              ),
          }),
        ),
      }),
    ),
  })
  .meta({ id: "Learning" });
export type Learning = z.infer<typeof Learning>;

export const getLearning = endpoint({
  method: "GET",
  path: "/api/admin/learning",
  summary: "Where students are and where they stop, by module and lesson",
  permission: "learning:read",
  reply: Learning,
});

export const CheckFigures = z
  .array(
    z.object({
      lessonId: z.string(),
      lessonTitle: z.string(),
      questionId: z.string(),
      text: z.string(),
      answered: z.int().describe("Students who answered this version of the question, or had the answer shown"),
      rightAtFirst: z.int().describe("Of those, whose first answer was right"),
      wrongAnswer: z
        .object({ text: z.string(), students: z.int() })
        .nullable()
        .describe("The wrong option, or what was typed, that most first answers had; null: none"),
      isConfusing: z.boolean().describe("Whether fewer than 40 % were right at the first try"),
    }),
  )
  .meta({ id: "CheckFigures" });
export type CheckFigures = z.infer<typeof CheckFigures>;

export const getCheckFigures = endpoint({
  method: "GET",
  path: "/api/admin/learning/checks",
  summary: "How students answered the questions that checks ask, in the order of the course",
  permission: "learning:read",
  reply: CheckFigures,
});
