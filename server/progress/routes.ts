import type { FastifyInstance } from "fastify";
import { getPlayerChoices, savePlayerChoices } from "#contract/player-choices.ts";
import { listElsewhere, listProgress, saveProgress, sendWatchNotes } from "#contract/progress.ts";
import { listUnseenChanges, seeChanges } from "#contract/unseen-changes.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { listCompletedElsewhere } from "./elsewhere.ts";
import { findPlayerChoices, keepPlayerChoices } from "./player-choices.ts";
import { listProgressOf, noteProgress, noteWatching } from "./progress.ts";
import { listUnseenOf, seeChangesOf } from "./unseen-changes.ts";

export function progressRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, listProgress, ({ request }) => listProgressOf(ctx, studentOf(request)));
  serve(scope, listElsewhere, async ({ request }) => {
    const [lessonIds = []] = await listCompletedElsewhere(ctx.db, [studentOf(request).id]);
    return lessonIds;
  });
  serve(scope, saveProgress, ({ request, params, body }) =>
    noteProgress(ctx, studentOf(request), params.lessonId, body),
  );
  serve(scope, sendWatchNotes, ({ request, body }) => noteWatching(ctx, studentOf(request), body.notes));
  serve(scope, listUnseenChanges, ({ request }) => listUnseenOf(ctx, studentOf(request).id));
  serve(scope, seeChanges, ({ request, params: { lessonId }, body: { changeId } }) =>
    seeChangesOf(ctx, studentOf(request).id, { lessonId, changeId }),
  );
  serve(scope, getPlayerChoices, ({ request }) => findPlayerChoices(ctx.db, studentOf(request).id));
  serve(scope, savePlayerChoices, ({ request, body }) =>
    keepPlayerChoices(ctx.db, studentOf(request).id, body, ctx.clock.now()),
  );
}
