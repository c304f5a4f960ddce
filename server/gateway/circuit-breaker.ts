/** So many connections in a row that did not even open, and the other side counts as down. */
const FAILURES_UNTIL_OPEN = 5;
/** How long it is left alone then, before one request may try again. */
const COOL_DOWN_MS = 10_000;

/** The time that a trial request gives the connection, so that the one that makes it does not wait long. */
const TRIAL_CONNECT_MS = 800;

/** How a call ended, as far as it concerns the breaker: "not-sent" is the one failure that counts. */
interface Ending {
  readonly kind: string;
}

/**
 * Answers at once with `whenOpen` while the other side is down, instead of letting everybody wait for a connection.
 * It protects this process alone, so it lives in its memory; nothing is true because of it.
 * @param now milliseconds that only grow.
 */
export function circuitBreaker<Request, Result extends Ending>(
  call: (request: Request, limits: { connectMs?: number }) => Promise<Result>,
  whenOpen: Result,
  now: () => number = () => performance.now(),
): (request: Request) => Promise<Result> {
  let failures = 0;
  let aloneUntil = 0;
  let trying = false;

  return async (request) => {
    const open = failures >= FAILURES_UNTIL_OPEN;
    if (open && (trying || now() < aloneUntil)) return whenOpen;
    if (open) trying = true;
    try {
      const result = await call(request, open ? { connectMs: TRIAL_CONNECT_MS } : {});
      failures = result.kind === "not-sent" ? failures + 1 : 0;
      if (failures >= FAILURES_UNTIL_OPEN) aloneUntil = now() + COOL_DOWN_MS;
      return result;
    } finally {
      if (open) trying = false;
    }
  };
}
