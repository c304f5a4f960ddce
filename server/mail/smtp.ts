import type { Transporter } from "nodemailer";
import { type Mail, MailNotAccepted } from "./mail.ts";

interface Sender {
  readonly name: string;
  readonly address: string;
}

/**
 * `url` is smtp://user:password@host:port or smtps://; `host` is ours, for the Message-IDs; `findSender` says whom a
 * message is from that is sent now.
 */
export function smtpMail(url: string, host: string, findSender: () => Promise<Sender>): Mail {
  let opened: Promise<Transporter> | undefined;
  return {
    async send({ calendar, unsubscribeUrl, ...message }, id) {
      opened ??= open(url);
      const transport = await opened;
      const from = await findSender();
      try {
        const icalEvent = calendar && { ...calendar, filename: "session.ics" };
        const list = unsubscribeUrl && {
          list: { unsubscribe: unsubscribeUrl },
          headers: { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
        };
        const messageId = `<${id}@${host}>`;
        await transport.sendMail({ from, ...message, messageId, ...(icalEvent && { icalEvent }), ...list });
      } catch (error) {
        // The server's own words name the recipient, and would stand in the log and with the job.
        const { code, responseCode } = error as { code?: string; responseCode?: number };
        throw new MailNotAccepted(
          `the mail server did not accept a message: ${code ?? "unknown"} ${responseCode ?? ""}`.trimEnd(),
          { isForGood: code === "EENVELOPE" && (responseCode ?? 0) >= 500 },
        );
      }
    },
    async close() {
      (await opened)?.close();
    },
  };
}

/** Rejects when the server does not take our credentials. */
export async function greetMailServer(url: string): Promise<void> {
  const transport = await open(url);
  await transport.verify().finally(() => transport.close());
}

async function open(url: string): Promise<Transporter> {
  // With the first message: an academy at rest would hold the library's memory for nothing.
  const { createTransport } = await import("nodemailer");
  return createTransport({
    url,
    pool: true,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  });
}
