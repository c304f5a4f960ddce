import { create as attachment } from "content-disposition";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import * as coach from "#contract/coaching/coach.ts";
import type { CoachingOverview } from "#contract/coaching/coaching.ts";
import * as contract from "#contract/coaching/coaching.ts";
import type { Context } from "#server/context/context.ts";
import { clientOf } from "#server/http/client.ts";
import { serve } from "#server/http/serve.ts";
import { signedInOf, studentOf } from "#server/identity/sessions/sessions.ts";
import { joinBooking } from "./attendance.ts";
import { bookSession, moveBooking } from "./bookings.ts";
import { bookingAsFile, closeCalendar, keepZone, openCalendar, readCalendar } from "./calendars.ts";
import { cancelBooking } from "./cancellations.ts";
import {
  cancelAsCoach,
  describeDesk,
  describeForCoach,
  joinAsCoach,
  joinLiveAsCoach,
  markBooking,
  requireCoach,
  setCoachSettings,
  writeSummary,
} from "./coach-desk.ts";
import { contestBooking } from "./contest.ts";
import { countWrite } from "./entitlements.ts";
import { describeLive } from "./live/live.ts";
import { recordingFile, recordingOf } from "./live/recording.ts";
import { giveSeatUp, joinLive, takeSeat } from "./live/seats.ts";
import { describeBooking, describeCoaching, listSlots } from "./overview.ts";

const FileParams = z.object({ id: z.string().regex(/^[a-z0-9]{1,40}$/) });

export function coachingRoutes(scope: FastifyInstance, ctx: Context): void {
  bookingRoutes(scope, ctx);
  calendarSettingRoutes(scope, ctx);
  liveRoutes(scope, ctx);
}

function bookingRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, contract.getCoaching, async ({ request }) => {
    const { user, seeing } = signedInOf(request);
    const overview = await describeCoaching(ctx, user);
    return seeing ? withoutPreparation(overview) : overview;
  });

  serve(scope, contract.getSlots, ({ request }) => listSlots(ctx, studentOf(request)));

  serve(scope, contract.bookSession, async ({ request, body, reply }) => {
    const student = studentOf(request);
    await countWrite(ctx, student);
    const asked = { ...body, startsAt: new Date(body.startsAt) };
    const { bookingId, isNew } = await bookSession(ctx, student, asked);
    await keepZone(ctx.db, student.id, body, ctx.clock.now());
    if (isNew) reply.code(201);
    return describeBooking(ctx, student, bookingId);
  });

  serve(scope, contract.getBooking, ({ request, params }) => describeBooking(ctx, studentOf(request), params.id));

  serve(scope, contract.moveBooking, async ({ request, params, body }) => {
    const student = studentOf(request);
    await countWrite(ctx, student);
    await moveBooking(ctx, student, params.id, { ...body, startsAt: new Date(body.startsAt) });
    return describeBooking(ctx, student, params.id);
  });

  serve(scope, contract.cancelBooking, async ({ request, params }) => {
    const student = studentOf(request);
    await countWrite(ctx, student);
    await cancelBooking(ctx, student, params.id);
    return describeBooking(ctx, student, params.id);
  });

  serve(scope, contract.joinBooking, async ({ request, params }) => ({
    meetingUrl: await joinBooking(ctx, studentOf(request), params.id),
  }));

  serve(scope, contract.contestBooking, async ({ request, params, body }) => {
    const student = studentOf(request);
    await countWrite(ctx, student);
    const from = ctx.hashClient(clientOf(request));
    await contestBooking(ctx, student, params.id, { text: body.text, clientHash: from });
    return describeBooking(ctx, student, params.id);
  });

  serve(scope, contract.getBookingCalendar, async ({ request, params, reply }) => {
    const file = await bookingAsFile(ctx, studentOf(request), params.id);
    reply.type("text/calendar; charset=utf-8").header("content-disposition", attachment("session.ics"));
    return file;
  });
}

/** What students prepare is between them and their coaches. */
function withoutPreparation(overview: CoachingOverview): CoachingOverview {
  const { upcoming, past, live, recorded } = overview;
  return {
    ...overview,
    upcoming: upcoming && { ...upcoming, prep: null },
    past: past.map((booking) => ({ ...booking, prep: null, summary: null })),
    live: live.map((session) => ({ ...session, question: null })),
    recorded: recorded.map((session) => ({ ...session, question: null })),
  };
}

function calendarSettingRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, contract.setTimeZone, async ({ request, body }) => ({
    timeZone: await keepZone(ctx.db, studentOf(request).id, body, ctx.clock.now()),
  }));

  serve(scope, contract.openCalendar, async ({ request }) => {
    const student = studentOf(request);
    await countWrite(ctx, student);
    return { url: await openCalendar(ctx, student) };
  });

  serve(scope, contract.closeCalendar, async ({ request }) => {
    await closeCalendar(ctx, studentOf(request));
    return { success: true as const };
  });
}

function liveRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, contract.takeSeat, async ({ request, params, body }) => {
    const student = studentOf(request);
    await countWrite(ctx, student);
    await takeSeat(ctx, student, params.id, body.question);
    return describeLive(ctx, student, params.id);
  });

  serve(scope, contract.giveSeatUp, async ({ request, params }) => {
    const student = studentOf(request);
    await countWrite(ctx, student);
    await giveSeatUp(ctx, student, params.id);
    return describeLive(ctx, student, params.id);
  });

  serve(scope, contract.joinLive, async ({ request, params }) => ({
    meetingUrl: await joinLive(ctx, studentOf(request), params.id),
  }));

  serve(scope, contract.getRecording, ({ request, params }) => recordingOf(ctx, signedInOf(request), params.id));

  // Authorized at each request, like the reply that has this URL.
  scope.get("/api/live/:id/video", { schema: { hide: true, params: FileParams } }, async (request, reply) => {
    const { id } = request.params as z.output<typeof FileParams>;
    const file = await recordingFile(ctx, studentOf(request), id);
    const { send } = await import("@fastify/send");
    const result = await send(request.raw, file.path, { root: file.root, cacheControl: false });
    return reply.code(result.statusCode).headers(result.headers).send(result.stream);
  });
}

export function coachRoutes(scope: FastifyInstance, ctx: Context): void {
  requireCoach(scope, ctx);

  serve(scope, coach.getCoachDesk, ({ request }) => describeDesk(ctx, studentOf(request)));

  serve(scope, coach.setCoachSettings, async ({ request, query, body }) => {
    await setCoachSettings(ctx, studentOf(request), body, query.version);
    return describeDesk(ctx, studentOf(request));
  });

  serve(scope, coach.getCoachBooking, ({ request, params }) => describeForCoach(ctx, studentOf(request), params.id));

  serve(scope, coach.joinAsCoach, async ({ request, params }) => ({
    meetingUrl: await joinAsCoach(ctx, studentOf(request), params.id),
  }));

  serve(scope, coach.cancelAsCoach, async ({ request, params }) => {
    await cancelAsCoach(ctx, studentOf(request), params.id);
    return describeForCoach(ctx, studentOf(request), params.id);
  });

  serve(scope, coach.markBooking, async ({ request, params, body }) => {
    await markBooking(ctx, studentOf(request), params.id, body.as);
    return describeForCoach(ctx, studentOf(request), params.id);
  });

  serve(scope, coach.writeSummary, async ({ request, params, query, body }) => {
    await writeSummary(ctx, studentOf(request), params.id, { ...body, ...query });
    return describeForCoach(ctx, studentOf(request), params.id);
  });

  serve(scope, coach.joinLiveAsCoach, async ({ request, params }) => ({
    meetingUrl: await joinLiveAsCoach(ctx, studentOf(request), params.id),
  }));
}

const CalendarParams = z.object({ token: z.string().regex(/^[A-Za-z0-9_-]{43}$/) });

/** The URL is the secret: it needs no session. */
export function calendarRoutes(scope: FastifyInstance, ctx: Context): void {
  scope.get("/calendar/:token.ics", { schema: { hide: true } }, async (request, reply) => {
    const { token = "" } = CalendarParams.safeParse(request.params).data ?? {};
    const calendar = await readCalendar(ctx, token);
    return reply.type("text/calendar; charset=utf-8").send(calendar);
  });
}
