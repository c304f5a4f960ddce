import type { FastifyInstance } from "fastify";
import * as contract from "#contract/admin/coaching.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { serveAction } from "#server/identity/serve-action.ts";
import { describeCoachingAdministration, describeStudentCoaching, listAllBookings } from "./administration.ts";
import { bookForStudent, moveForStudent } from "./bookings.ts";
import { cancelForStudent } from "./cancellations.ts";
import { addCoach, changeCoach } from "./coaches.ts";
import { returnSession } from "./extra-sessions.ts";
import { cancelLive, changeLive, recordLive, scheduleLive } from "./live/live.ts";
import { lookAhead } from "./meter.ts";

/** What administrators see and do of coaching; each action is in the audit log with its reason. */
export function coachingAdministrationRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, contract.getCoachingAdministration, () => describeCoachingAdministration(ctx));

  serve(scope, contract.getCoachingAhead, () => lookAhead(ctx.db, ctx.clock.now()));

  serve(scope, contract.listAllBookings, ({ query }) => listAllBookings(ctx, query));

  serve(scope, contract.getStudentCoaching, ({ params }) => describeStudentCoaching(ctx, params.id));

  serveAction(scope, contract.addCoach, "Coach added", (actor, { body }) => addCoach(ctx, actor, body));
  serveAction(scope, contract.changeCoach, "Coach saved", (actor, { params, query, body }) =>
    changeCoach(ctx, actor, params.id, body, query.version),
  );
  serveAction(scope, contract.scheduleLive, "Group session scheduled", (actor, { body }) =>
    scheduleLive(ctx, actor, body),
  );
  serveAction(scope, contract.changeLive, "Group session saved", (actor, { params, query, body }) =>
    changeLive(ctx, actor, { ...params, ...query }, body),
  );
  serveAction(scope, contract.cancelLive, "Group session cancelled", (actor, { params, body }) =>
    cancelLive(ctx, actor, params.id, body.reason),
  );
  serveAction(scope, contract.recordLive, "Recording added", (actor, { params, query, body }) =>
    recordLive(ctx, actor, { ...params, ...query }, body),
  );
  serveAction(scope, contract.bookForStudent, "Session booked", (actor, { body }) => bookForStudent(ctx, actor, body));
  serveAction(scope, contract.moveForStudent, "Session moved", (actor, { params, query, body }) =>
    moveForStudent(ctx, actor, { bookingId: params.id, ...query }, body),
  );
  serveAction(scope, contract.cancelForStudent, "Session cancelled", (actor, { params, body }) =>
    cancelForStudent(ctx, actor, params.id, body.reason),
  );
  serveAction(scope, contract.returnSession, "Session returned", (actor, { params, body }) =>
    returnSession(ctx, actor, params.id, body.reason),
  );
}
