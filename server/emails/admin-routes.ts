import type { FastifyInstance } from "fastify";
import { previewEmail } from "#contract/admin/content.ts";
import type { EmailTexts } from "#contract/email-texts.ts";
import { notFound } from "#server/base/refusal.ts";
import { currentPlanNames } from "#server/catalogue/catalogue.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import type { WordedKind } from "#server/mail/email-texts.ts";
import { composeEmail } from "#server/mail/student-emails.ts";
import { describeAcademy } from "#server/settings/settings.ts";
import { emailExamples } from "./examples.ts";
import { studentEmails } from "./student-emails.ts";

export function emailRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, previewEmail, ({ params, body }) => preview(ctx, params.id, body));
}

/** Shows that a text is in an email. */
const mark = "\u00b6shown\u00b6";

async function preview(ctx: Context, id: string, { texts, shown }: { texts: EmailTexts; shown: string | null }) {
  if (!isWorded(id)) throw notFound("content");
  const academy = await describeAcademy(ctx);
  const reader = { firstName: "Casey", academy, planNames: await currentPlanNames(ctx.db) };
  const compose = (facts: object, own: EmailTexts) =>
    composeEmail(studentEmails[id], facts as never, reader, { texts: own, unsubscribeUrl: academy.publicUrl });
  const examples: readonly [object, ...object[]] = emailExamples[id];
  const isShownIn = (facts: object) =>
    shown === null || JSON.stringify(compose(facts, { ...texts, [shown]: mark })).includes(mark);
  const { subject, html } = compose(examples.find(isShownIn) ?? examples[0], texts);
  return { subject, html };
}

function isWorded(kind: string): kind is WordedKind {
  return Object.hasOwn(emailExamples, kind);
}
