const FAILURES_UNTIL_OPEN = 5;
const PROBE_EVERY_MS = 10_000;

interface Ending {
  readonly kind: string;
}

/**
 * Fails calls at once after five in a row without an answer, so that no buyer waits for a silent gateway. While it is
 * open only probes pass, its own every ten seconds and those of callers; one that is answered closes it. A buyer's
 * charge never does. Each process has its own breaker.
 */
export function circuitBreaker<Request, Result extends Ending>(
  call: (request: Request) => Promise<Result>,
  options: {
    readonly whenOpen: Result;
    /** A call that changes nothing. */
    readonly probe: Request;
    readonly isProbe: (request: Request) => boolean;
    readonly onChange: (isOpen: boolean) => void;
  },
): (request: Request) => Promise<Result> {
  const { whenOpen, probe, isProbe, onChange } = options;
  let failures = 0;
  let isOpen = false;

  function turn(open: boolean): void {
    isOpen = open;
    failures = 0;
    onChange(open);
    if (open) probeLater();
  }

  function probeLater(): void {
    setTimeout(async () => {
      if (isOpen) await ask(probe);
      if (isOpen) probeLater();
    }, PROBE_EVERY_MS).unref();
  }

  async function ask(request: Request): Promise<Result> {
    const result = await call(request);
    if (result.kind !== "replied") failures += 1;
    else if (!isOpen) failures = 0;
    else if (isProbe(request)) turn(false);
    if (!isOpen && failures >= FAILURES_UNTIL_OPEN) turn(true);
    return result;
  }

  return async (request) => (isOpen && !isProbe(request) ? whenOpen : ask(request));
}
