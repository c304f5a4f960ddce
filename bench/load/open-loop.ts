import { connect, type Socket } from "node:net";

/** The results of requests at a constant rate. */
export interface Sent {
  readonly sent: number;
  /** Replies other than 200. */
  readonly refused: number;
  /** Requests without a reply. */
  readonly lost: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly worstMs: number;
}

export interface OpenLoop extends Sent {
  /** The 99th percentile of refusals. 0 without any. */
  readonly refusedP99Ms: number;
  /** The part of it spent in the server, without waiting for a connection. */
  readonly refusedInServerP99Ms: number;
  /** Seconds from the first request to the last reply. */
  readonly seconds: number;
}

/**
 * More than a node handles at once. All connections open before the first request is due, like a proxy's, because Node
 * accepts one new connection per turn of its event loop, which is slower under load. Requests without a free connection
 * wait, and the wait counts.
 */
const maxConnections = 900;
const greeting = -1;
const patienceMs = 30_000;

/**
 * Sends requests at a constant rate, regardless of replies, like independent browsers. Times count from the instant
 * when a request was due.
 */
export function sendEvenly(
  origin: string,
  perSecond: number,
  seconds: number,
  requestOf: (n: number) => string,
): Promise<OpenLoop> {
  const total = Math.round(perSecond * seconds);
  const times: number[] = [];
  const refusals: number[] = [];
  const refusalsInServer: number[] = [];
  const free: Connection[] = [];
  const waiting: number[] = [];
  let open = 0;
  let sent = 0;
  let lost = 0;
  let startedAt = 0;
  const dueAt = (n: number) => startedAt + (n * 1000) / perSecond;

  return new Promise((resolve) => {
    let pace: NodeJS.Timeout | undefined;
    for (let opened = 0; opened < maxConnections; opened++) newConnection().send(greeting);

    function begin(): void {
      startedAt = performance.now();
      pace = setInterval(tick, 1);
    }

    function tick(): void {
      const now = performance.now();
      for (; sent < total && dueAt(sent) <= now; sent++) waiting.push(sent);
      while (waiting.length > 0) {
        const connection = free.pop() ?? (open < maxConnections ? newConnection() : undefined);
        if (!connection) break;
        connection.send(waiting.shift() ?? 0);
      }
      const isOver = times.length + refusals.length + lost === total;
      if (isOver || now - dueAt(total) > patienceMs) finish();
    }

    function newConnection(): Connection {
      open += 1;
      const connection = new Connection(origin, requestOf, {
        answered(n, status, isLast) {
          if (n === greeting) {
            free.push(connection);
            if (free.length === maxConnections) begin();
            return;
          }
          (status === 200 ? times : refusals).push(performance.now() - dueAt(n));
          if (status !== 200) refusalsInServer.push(performance.now() - connection.sentAt);
          if (!isLast) free.push(connection);
        },
        broken(n) {
          open -= 1;
          if (n !== null) lost += 1;
          else if (free.includes(connection)) free.splice(free.indexOf(connection), 1);
        },
      });
      return connection;
    }

    function finish(): void {
      clearInterval(pace);
      for (const connection of free) connection.close();
      resolve({
        sent,
        refused: refusals.length,
        lost: total - times.length - refusals.length,
        p50Ms: shareOf(times, 0.5),
        p99Ms: shareOf(times, 0.99),
        worstMs: shareOf(times, 1),
        refusedP99Ms: shareOf(refusals, 0.99),
        refusedInServerP99Ms: shareOf(refusalsInServer, 0.99),
        seconds: (performance.now() - startedAt) / 1000,
      });
    }
  });
}

function shareOf(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

interface Listener {
  /** `isLast`: the server closes the connection. */
  answered: (n: number, status: number, isLast: boolean) => void;
  /** The connection has closed. Its request, if any, gets no reply. */
  broken: (n: number | null) => void;
}

/** A connection with one request at a time, which costs the measured CPUs almost nothing. */
class Connection {
  sentAt = 0;
  private readonly socket: Socket;
  private readonly requestOf: (n: number) => string;
  private readonly host: string;
  private current: number | null = null;
  private text = "";

  constructor(origin: string, requestOf: (n: number) => string, listener: Listener) {
    this.requestOf = requestOf;
    this.host = new URL(origin).host;
    // An IP address, because resolving a name for each of many connections takes longer than the reply.
    this.socket = connect({ host: "127.0.0.1", port: Number(new URL(origin).port), noDelay: true });
    this.socket.setEncoding("latin1");
    this.socket.on("data", (data) => {
      this.text += data;
      const head = this.text.indexOf("\r\n\r\n");
      if (head < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(this.text)?.[1] ?? 0);
      if (this.text.length < head + 4 + length || this.current === null) return;
      const n = this.current;
      const status = Number(this.text.slice(9, 12));
      const isLast = /^connection: close/im.test(this.text.slice(0, head));
      this.current = null;
      this.text = "";
      listener.answered(n, status, isLast);
    });
    this.socket.on("error", () => this.socket.destroy());
    this.socket.on("close", () => listener.broken(this.current));
  }

  send(n: number): void {
    this.current = n;
    this.sentAt = performance.now();
    this.socket.write(n === greeting ? `GET /healthz HTTP/1.1\r\nhost: ${this.host}\r\n\r\n` : this.requestOf(n));
  }

  close(): void {
    this.socket.removeAllListeners("close").end();
  }
}
