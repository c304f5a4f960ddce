import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import { dollarsOf } from "#contract/money.ts";
import type { Problem, RefusalCode } from "#contract/problem.ts";
import { invalidFields, nothingHere, Refusal, statusOf } from "#server/base/refusal.ts";
import { isUnkeepableText } from "#server/db/db.ts";
import { isDatabaseAway } from "#server/db/unavailable.ts";

/** Answers errors as problem JSON (RFC 9457) and logs each unexpected one once. */
export function answerErrorsAsProblems(scope: FastifyInstance): void {
  scope.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = toRefusal(error);
    const status = statusOf[refusal.code];
    if (refusal.turnsAway) noteTurnedAway(request);
    if (status >= 500) {
      const { method, routeOptions } = request;
      request.log.error({ err: error, method, route: routeOptions.url, status }, "request failed");
      logged.add(request);
    }
    return sendProblem(request, reply, refusal);
  });
}

/** At most one entry for each request in memory, of about 20 bytes. */
const logged = new WeakSet<FastifyRequest>();

export function wasLogged(request: FastifyRequest): boolean {
  return logged.has(request);
}

/** At most one entry for each request in memory, of about 20 bytes. */
const turnedAway = new WeakSet<FastifyRequest>();

/** Notes that the reply is meant, although its status is one of failures: the server is busy or stopping. */
export function noteTurnedAway(request: FastifyRequest): void {
  turnedAway.add(request);
}

export function wasTurnedAway(request: FastifyRequest): boolean {
  return turnedAway.has(request);
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const body = problemOf(refusal, request.id);
  if (refusal.retryAfterSeconds !== undefined) reply.header("retry-after", Math.ceil(refusal.retryAfterSeconds));
  // Sent as text: an object would pass through the serializer of the failed route.
  return reply.code(body.status).type("application/problem+json").send(JSON.stringify(body));
}

export function problemOf(refusal: Refusal, requestId: string): Problem {
  return {
    type: "about:blank",
    title: titles[refusal.code],
    status: statusOf[refusal.code],
    code: refusal.code,
    message: refusal.message,
    success: false,
    requestId,
    ...(refusal.errors && { errors: refusal.errors }),
    ...(refusal.totalCents !== undefined && { total: dollarsOf(refusal.totalCents) }),
  };
}

function toRefusal(error: FastifyError): Refusal {
  if (error instanceof Refusal) return error;
  if (!(error instanceof Error)) return ourFault();
  if (hasZodFastifySchemaValidationErrors(error)) {
    const errors: Record<string, string[]> = {};
    for (const issue of error.validation) {
      const field = issue.instancePath.replace(/^\//, "").replaceAll("/", ".") || "input";
      errors[field] = [...(errors[field] ?? []), issue.message ?? "Invalid"];
    }
    return invalidFields(errors);
  }
  // The client closed the connection in the middle of its request.
  if (error.message === "aborted")
    return new Refusal("malformed-request", "We didn't receive the whole request. Please try again.");
  if (isDatabaseAway(error)) {
    return new Refusal("unavailable", "The academy is temporarily unavailable. Please try again in a minute.", {
      retryAfterSeconds: 2,
    });
  }
  if (isUnkeepableText(error))
    return new Refusal("malformed-request", "This text contains characters that can’t be saved.");
  const code = codeOfStatus[error.statusCode ?? 500];
  if (code) return new Refusal(code, messages[code] ?? "We couldn't understand the request.");
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new Refusal("malformed-request", "We couldn't understand the request.");
  }
  return ourFault();
}

function ourFault(): Refusal {
  return new Refusal("internal", "Something went wrong on our side. Please try again.");
}

const codeOfStatus: Readonly<Record<number, RefusalCode>> = {
  400: "malformed-request",
  404: "not-found",
  405: "method-not-allowed",
  413: "too-large",
  415: "unsupported-media-type",
  429: "too-many-requests",
};

const messages: Partial<Record<RefusalCode, string>> = {
  "not-found": nothingHere().message,
  "too-large": "That's more than we can accept at once.",
  "unsupported-media-type": "Send the request as JSON.",
  "too-many-requests": "Too many requests. Please wait a moment.",
};

const titles: Readonly<Record<RefusalCode, string>> = {
  "invalid-input": "Invalid input",
  "malformed-request": "Malformed request",
  "not-signed-in": "Not signed in",
  "signed-in-as-another": "Signed in as another person",
  "sign-in-again": "Sign in again",
  "second-factor-required": "Second factor required",
  "bad-signature": "Bad signature",
  "cross-origin": "Request from another site",
  "not-allowed": "Not allowed",
  "not-found": "Not found",
  gone: "Gone",
  "method-not-allowed": "Method not allowed",
  "unsupported-media-type": "Unsupported media type",
  "misdirected-request": "Misdirected request",
  "request-timeout": "Request timeout",
  "too-large": "Too large",
  "headers-too-large": "Headers too large",
  "range-not-satisfiable": "Range not satisfiable",
  "too-many-requests": "Too many requests",
  "amount-mismatch": "Amount does not match the plan",
  "plan-mismatch": "Plan does not match the tier",
  "coupon-refused": "The code does not work",
  "quote-changed": "The total has changed",
  "quote-expired": "The total has expired",
  "already-owned": "Already owned",
  conflict: "Conflict",
  "payment-in-progress": "Payment in progress",
  "payment-declined": "Payment declined",
  "payment-disputed": "Payment disputed",
  "card-token-used": "Card token already used",
  "payment-unavailable": "Payments unavailable",
  "account-blocked": "Account blocked",
  "tier-required": "Another tier is required",
  "not-yet-available": "Not yet available",
  "sign-in-failed": "Sign-in failed",
  "email-taken": "Address already in use",
  "last-administrator": "Last administrator",
  "slot-taken": "Time already taken",
  "no-sessions-left": "No sessions left",
  "too-late": "Too late",
  "already-booked": "Already booked",
  "unreadable-image": "Unreadable image",
  "unplayable-video": "Video may not play",
  "no-captions": "No captions",
  "undescribed-change": "Change not described",
  infected: "Malware found",
  unavailable: "Unavailable",
  "storage-full": "No space for files",
  internal: "Internal error",
};
