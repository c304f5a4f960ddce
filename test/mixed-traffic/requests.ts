import { randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { Visitor } from "../visitor.ts";

/** Less than the proxy's timeout of two minutes, which would turn a hang into an ordinary failure. */
const timeoutMs = 100_000;
/** Slower requests are reported individually. */
const slowMs = 20_000;

interface Outage {
  readonly name: string;
  readonly from: number;
  /** Infinite while it is in progress. */
  until: number;
}

export interface Failure {
  readonly at: string;
  readonly kind: string;
  readonly what: string;
  /** The parts that were down. Null: none. */
  readonly during: string | null;
}

interface Counts {
  sent: number;
  failed: number;
  refused: number;
  slowestMs: number;
}

/** All requests of the test, at an even rate, with their outcomes. */
export class Requests {
  readonly kinds = new Map<string, Counts>();
  readonly failures: Failure[] = [];
  readonly refusals = new Map<string, number>();
  readonly outages: Outage[] = [];
  readonly slow: (Failure & { readonly ms: number })[] = [];
  sent = 0;
  hung = 0;
  private readonly everyMs: number;
  private next = performance.now();

  constructor(perSecond: number) {
    this.everyMs = 1000 / perSecond;
  }

  /** Resolves when the next request is due. */
  async pace(): Promise<void> {
    const now = performance.now();
    this.next = Math.max(this.next + this.everyMs, now);
    if (this.next > now) await wait(this.next - now);
  }

  note(kind: string, startedAt: number, what: string, status: number): void {
    const counts = this.kinds.get(kind) ?? { sent: 0, failed: 0, refused: 0, slowestMs: 0 };
    this.kinds.set(kind, counts);
    const endedAt = performance.now();
    this.sent += 1;
    counts.sent += 1;
    counts.slowestMs = Math.max(counts.slowestMs, Math.round(endedAt - startedAt));
    if (what === "hung") this.hung += 1;
    const outage = this.outages.find(({ from, until }) => startedAt <= until && endedAt >= from);
    const noted = { at: new Date().toISOString(), kind, what, during: outage?.name ?? null };
    if (endedAt - startedAt > slowMs) this.slow.push({ ...noted, ms: Math.round(endedAt - startedAt) });
    if (status >= 500) {
      counts.failed += 1;
      this.failures.push(noted);
    } else if (status >= 400) {
      counts.refused += 1;
      this.refusals.set(what, (this.refusals.get(what) ?? 0) + 1);
    }
  }
}

/** A browser with a network address of its own. Its requests are paced and recorded. */
export class Person extends Visitor {
  private readonly requests: Requests;
  private readonly address = `10.${randomInt(250)}.${randomInt(250)}.${1 + randomInt(250)}`;

  constructor(origin: string, requests: Requests) {
    super(origin);
    this.requests = requests;
  }

  override async send(
    method: string,
    path: string,
    body?: string | FormData | Uint8Array<ArrayBuffer>,
    headers: Record<string, string | null> = {},
  ): Promise<Response> {
    await this.requests.pace();
    const startedAt = performance.now();
    const kind = `${method} ${kindOf(path)}`;
    const hung = new AbortController();
    try {
      const response = await Promise.race([
        super.send(method, path, body, { "x-forwarded-for": this.address, ...headers }),
        wait(timeoutMs, undefined, { signal: hung.signal }).then(() => Promise.reject(new Error("hung"))),
      ]);
      const { status } = response;
      const code = status >= 400 ? ` ${await codeOf(response)}` : "";
      this.requests.note(kind, startedAt, `${kind} ${status}${code}`, status);
      return response;
    } catch (error) {
      const { message, cause } = error as Error & { cause?: Error & { code?: string } };
      const what = message === "hung" ? "hung" : `${message} ${cause?.code ?? cause?.message ?? ""}`;
      this.requests.note(kind, startedAt, what, 599);
      throw error;
    } finally {
      hung.abort();
    }
  }
}

async function codeOf(response: Response): Promise<string> {
  const text = await response.clone().text();
  return /"code":"([a-z-]+)"/.exec(text)?.[1] ?? text.replace(/\s+/g, " ").slice(0, 80);
}

/** The path with ids replaced by placeholders. */
function kindOf(path: string): string {
  const { pathname } = new URL(path, "http://localhost");
  return pathname
    .split("/")
    .map((part) => (/^(?=.*\d)[\w-]{16,}$|^[\w-]{20,}$/.test(part) && !part.includes("-image") ? "*" : part))
    .join("/");
}
