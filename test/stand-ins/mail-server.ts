import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { freePort } from "../free-port.ts";

interface Arrival {
  readonly to: string;
  readonly text: string;
  readonly messageId: string;
  /** Keyed by lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
}

/**
 * A mail server that can be down, or accept mails without acknowledging them. Reports each mail before it accepts it.
 */
export async function mailServer(given: { port?: number; onArrival?: (arrival: Arrival) => void } = {}) {
  const port = given.port ?? (await freePort());
  const arrivals: Arrival[] = [];
  let silentAbout: string | null = null;
  let running: SMTPServer | undefined;
  const stop = async () => {
    const server = running;
    running = undefined;
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return {
    url: `smtp://127.0.0.1:${port}`,
    /** Accepted mails, acknowledged or not. */
    arrivals,
    async start(): Promise<void> {
      const server = new SMTPServer({
        authOptional: true,
        disabledCommands: ["AUTH", "STARTTLS"],
        disableReverseLookup: true,
        closeTimeout: 200,
        async onData(stream, session, callback) {
          // A message whose sender dies midway is dropped.
          const raw = await stream.toArray().catch(() => null);
          if (!raw) return;
          const mail = await PostalMime.parse(Buffer.concat(raw));
          const text = mail.text ?? "";
          const arrival: Arrival = {
            to: session.envelope.rcptTo.map(({ address }) => address).join(", "),
            text,
            messageId: mail.messageId ?? "",
            headers: new Map(mail.headers.map(({ key, value }) => [key, value])),
          };
          arrivals.push(arrival);
          given.onArrival?.(arrival);
          if (silentAbout === null || !text.includes(silentAbout)) callback(null);
        },
      });
      server.on("error", () => {});
      running = server;
      await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()));
    },
    /** From now on accepts mails with this text without acknowledging them. */
    fallSilentAbout(text: string | null): void {
      silentAbout = text;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
