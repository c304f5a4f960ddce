import type { FastifyInstance } from "fastify";
import {
  changeSequences,
  getSequences,
  type SequenceFigures,
  type SequenceName,
  type Sequences,
  sequenceNames,
  sequencePreviewPath,
} from "#contract/admin/sequences.ts";
import { previewPolicy } from "#server/announcements/admin-routes.ts";
import { DAY, HOUR } from "#server/base/clock.ts";
import { notFound } from "#server/base/refusal.ts";
import { currentPlanNames, listLessons, readSale } from "#server/catalogue/catalogue.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import type { User } from "#server/identity/users.ts";
import { composeEmail, type StudentReader } from "#server/mail/student-emails.ts";
import { publishedEmailTexts } from "#server/settings/email-texts.ts";
import { describeAcademy } from "#server/settings/settings.ts";
import { listFigures } from "./queries.ts";
import { sequences } from "./sequences.ts";
import { settingsOf, switchedSequences, switchSequences, versionOfSettings } from "./settings.ts";

export function sequenceRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, getSequences, ({ request }) => describeSequences(ctx, studentOf(request)));
  serve(scope, changeSequences, async ({ request, query, body }) => {
    await switchSequences(ctx, studentOf(request), body, query.version);
    return describeSequences(ctx, studentOf(request));
  });

  scope.get<{ Params: { name: string; step: string } }>(
    sequencePreviewPath.replace("{name}", ":name").replace("{step}", ":step"),
    { schema: { hide: true }, config: { permission: "announcements:send" } },
    async (request, reply) => {
      const write = await exampleWriter(ctx, studentOf(request));
      const name = sequenceNames.find((one) => one === request.params.name);
      const step = Number(request.params.step);
      if (!name || !(step in sequences[name].delays)) throw notFound("email");
      return reply
        .type("text/html; charset=utf-8")
        .header("content-security-policy", previewPolicy)
        .send(write(name, step).html);
    },
  );
}

const none: SequenceFigures = { people: 0, returned: 0, returnedOf: 0, bought: 0, boughtOf: 0 };

async function describeSequences(ctx: Context, reader: User): Promise<Sequences> {
  const switched = await switchedSequences(ctx.db);
  const rows = await listFigures(ctx.db);
  const write = await exampleWriter(ctx, reader);
  const figuresOf = (name: SequenceName, step: number, isControl: boolean) =>
    rows.find((row) => row.sequence === name && row.step === step && row.isControl === isControl) ?? none;
  return {
    version: versionOfSettings(switched),
    settings: settingsOf(switched),
    sequences: sequenceNames.map((name) => ({
      name,
      steps: sequences[name].delays.map((delay, step) => ({
        afterHours: delay / HOUR,
        subject: write(name, step).subject,
        sent: figuresOf(name, step, false),
        control: figuresOf(name, step, true),
      })),
    })),
  };
}

/** Composes emails to the person who looks at them, about plans and lessons of the academy. */
async function exampleWriter(ctx: Context, { firstName }: User) {
  const now = ctx.clock.now();
  const [academy, planNames, { plans }, [lesson]] = await Promise.all([
    describeAcademy(ctx),
    currentPlanNames(ctx.db),
    readSale(ctx.db).then((sale) => sale.at(now)),
    listLessons(ctx.db),
  ]);
  const reader: StudentReader = { firstName, academy, planNames };
  const { id = "lesson", title = "Lesson" } = lesson ?? {};
  const plan = plans[0] ?? { id: "plan", name: planNames.basic, price: 49, tier: "basic", features: [] };
  const examples: Readonly<Record<SequenceName, object>> = {
    "unfinished-checkout": { plan },
    "paying-for-nothing": {
      renewsAt: new Date(now.getTime() + 5 * DAY),
      cents: Math.round(plan.price * 100),
      lastAt: null,
    },
    "new-lesson": { lessons: [{ id, title, isAsked: false }], isAsked: false },
    welcome: { tier: plan.tier },
    stalled: { lessonId: id, title, seconds: 245 },
  };
  const texts = await Promise.all(
    sequenceNames.map(async (name) => [name, await publishedEmailTexts(ctx.db, sequences[name].email.kind)] as const),
  );
  const textsOf = new Map(texts);
  return (name: SequenceName, step: number) =>
    composeEmail(sequences[name].email, { ...examples[name], step } as never, reader, {
      texts: textsOf.get(name) ?? {},
      unsubscribeUrl: "#",
    });
}
