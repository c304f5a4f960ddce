import type { FastifyInstance } from "fastify";
import {
  discardDrafts as discardDraftsCall,
  draftCopy,
  draftEmail,
  draftLesson,
  draftModule,
  draftOffer,
  draftPlan,
  draftSettings,
  getConfigured,
  getContent,
  moveContent as moveContentCall,
  previewText,
  publishContent,
  reviewLegalText as reviewLegalTextCall,
} from "#contract/admin/content.ts";
import {
  deleteLessonChange as deleteLessonChangeCall,
  editLessonChange as editLessonChangeCall,
  listLessonChanges as listLessonChangesCall,
} from "#contract/admin/lesson-changes.ts";
import { listLessonReviews, verifyLesson as verifyLessonCall } from "#contract/admin/lesson-reviews.ts";
import { renderMarkup } from "#contract/markup.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { signedInOf, studentOf } from "#server/identity/sessions/sessions.ts";
import { requireWritable } from "#server/mail/recipients.ts";
import { describeContent, offerId, settingsId } from "./content.ts";
import { draftContent, moveContent } from "./drafting.ts";
import { deleteLessonChange, editLessonChange, listLessonChanges } from "./lesson-changes.ts";
import { discardDrafts, publishDrafts, reviewLegalText } from "./publishing.ts";
import { listReviews, verifyLesson } from "./reviews.ts";

export function contentRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, getContent, () => describeContent(ctx.db));

  serve(scope, draftModule, ({ request, params, query, body }) =>
    draftContent(ctx, studentOf(request), { kind: "module", id: params.id, text: body, ...query }),
  );
  // Captions, bodies and legal texts may be longer than the usual body limit.
  scope.register(async (long) => {
    long.addHook("onRoute", (route) => {
      route.bodyLimit = 2 * 1024 * 1024;
    });
    serve(long, draftLesson, ({ request, params, query, body }) =>
      draftContent(ctx, studentOf(request), { kind: "lesson", id: params.id, text: body, ...query }),
    );
    serve(long, previewText, async ({ body: { text } }) => ({ html: renderMarkup(text) }));
    serve(long, draftCopy, ({ request, query, body }) =>
      draftContent(ctx, studentOf(request), { kind: "copy", id: body.part, text: body, ...query }),
    );
  });
  serve(scope, draftEmail, ({ request, params, query, body }) =>
    draftContent(ctx, studentOf(request), { kind: "email", id: params.id, text: body, ...query }),
  );
  serve(scope, draftPlan, ({ request, params, query, body }) =>
    draftContent(ctx, studentOf(request), { kind: "plan", id: params.id, text: body, ...query }),
  );
  serve(scope, draftOffer, ({ request, query, body }) =>
    draftContent(ctx, studentOf(request), { kind: "offer", id: offerId, text: body, ...query }),
  );
  serve(scope, draftSettings, async ({ request, query, body }) => {
    if (body.supportEmail) await requireWritable(ctx.mail, "supportEmail", body.supportEmail);
    return draftContent(ctx, studentOf(request), { kind: "settings", id: settingsId, text: body, ...query });
  });
  serve(scope, reviewLegalTextCall, ({ request, params, query }) =>
    reviewLegalText(ctx, studentOf(request), params.part, query.version),
  );
  serve(scope, getConfigured, async () => {
    const { configuredSupportEmail: supportEmail, configuredSenderName: senderName } = ctx.site;
    return { supportEmail, senderName };
  });
  serve(scope, moveContentCall, ({ request, body }) => moveContent(ctx, studentOf(request), body));

  serve(scope, listLessonChangesCall, ({ query }) => listLessonChanges(ctx, query));
  serve(scope, editLessonChangeCall, async ({ request, params, body }) => {
    await editLessonChange(ctx, studentOf(request), params.id, body);
    return { success: true as const, message: "Change saved" };
  });
  serve(scope, deleteLessonChangeCall, async ({ request, params }) => {
    await deleteLessonChange(ctx, studentOf(request), params.id);
    return { success: true as const, message: "Change deleted" };
  });
  serve(scope, listLessonReviews, ({ query }) => listReviews(ctx, query));
  serve(scope, verifyLessonCall, async ({ request, params, body }) => {
    await verifyLesson(ctx, studentOf(request), params.lessonId, body.verifiedAt);
    return { success: true as const, message: body.verifiedAt === undefined ? "Checked today" : "Undone" };
  });

  serve(scope, publishContent, async ({ request, body }) => {
    const published = await publishDrafts(ctx, signedInOf(request), body.only, body.despite, body.changes);
    return { success: true as const, message: `Published: ${published}` };
  });
  serve(scope, discardDraftsCall, async ({ request, body }) => {
    const dropped = await discardDrafts(ctx, studentOf(request), body.only);
    return { success: true as const, message: `Drafts discarded: ${dropped}` };
  });
}
