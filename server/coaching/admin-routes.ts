import type { FastifyInstance } from "fastify";
import * as contract from "#contract/admin/coaching.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { describeCoachingAdministration, describeStudentCoaching } from "./administration.ts";
import { bookForStudent, moveForStudent } from "./bookings.ts";
import { cancelForStudent } from "./cancellations.ts";
import { addCoach, changeCoach } from "./coaches.ts";
import { returnSession } from "./extra-sessions.ts";
import { cancelLive, changeLive, recordLive, scheduleLive } from "./live/live.ts";
import { lookAhead } from "./meter.ts";

const done = (message: string) => ({ success: true as const, message });

/** What administrators see and do of coaching; each action is in the audit log with its reason. */
export function coachingAdministrationRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, contract.getCoachingAdministration, () => describeCoachingAdministration(ctx));

  serve(scope, contract.getCoachingAhead, () => lookAhead(ctx.db, ctx.clock.now()));

  serve(scope, contract.getStudentCoaching, ({ params }) => describeStudentCoaching(ctx, params.id));

  serve(scope, contract.addCoach, async ({ request, body }) => {
    await addCoach(ctx, studentOf(request), body);
    return done("Coach added");
  });

  serve(scope, contract.changeCoach, async ({ request, params, query, body }) => {
    await changeCoach(ctx, studentOf(request), params.id, body, query.version);
    return done("Coach saved");
  });

  serve(scope, contract.scheduleLive, async ({ request, body }) => {
    await scheduleLive(ctx, studentOf(request), body);
    return done("Group session scheduled");
  });

  serve(scope, contract.changeLive, async ({ request, params, query, body }) => {
    await changeLive(ctx, studentOf(request), { ...params, ...query }, body);
    return done("Group session saved");
  });

  serve(scope, contract.cancelLive, async ({ request, params, body }) => {
    await cancelLive(ctx, studentOf(request), params.id, body.reason);
    return done("Group session cancelled");
  });

  serve(scope, contract.recordLive, async ({ request, params, query, body }) => {
    await recordLive(ctx, studentOf(request), { ...params, ...query }, body);
    return done("Recording added");
  });

  serve(scope, contract.bookForStudent, async ({ request, body }) => {
    await bookForStudent(ctx, studentOf(request), body);
    return done("Session booked");
  });

  serve(scope, contract.moveForStudent, async ({ request, params, query, body }) => {
    await moveForStudent(ctx, studentOf(request), { bookingId: params.id, ...query }, body);
    return done("Session moved");
  });

  serve(scope, contract.cancelForStudent, async ({ request, params, body }) => {
    await cancelForStudent(ctx, studentOf(request), params.id, body.reason);
    return done("Session cancelled");
  });

  serve(scope, contract.returnSession, async ({ request, params, body }) => {
    await returnSession(ctx, studentOf(request), params.id, body.reason);
    return done("Session returned");
  });
}
