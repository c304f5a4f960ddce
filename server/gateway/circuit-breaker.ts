const FAILURES_UNTIL_OPEN = 5;
const COOL_DOWN_MS = 10_000;

const TRIAL_CONNECT_MS = 800;

interface Ending {
  readonly kind: string;
}

/** Fails calls at once while the gateway cannot be reached. Each process has its own breaker. */
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
