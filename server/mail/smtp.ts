import type { Transporter } from "nodemailer";
import { type Mail, MailNotAccepted } from "./mail.ts";

interface Sender {
  readonly name: string;
  readonly address: string;
}

/**
 * @param url smtp://user:password@host:port or smtps://…
 * @param host of the academy, for Message-IDs
 * @param findSender asked for each message
 */
export function smtpMail(url: string, host: string, findSender: () => Promise<Sender>): Mail {
  // At most 12 messages wait in it, as many as jobs run at once.
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
        // The server's reply names the recipient, and would get into the log and the job's row.
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

/** Signs in to the mail server. @throws when it refuses our credentials */
export async function greetMailServer(url: string): Promise<void> {
  const transport = await open(url);
  await transport.verify().finally(() => transport.close());
}

async function open(url: string): Promise<Transporter> {
  // Loads the library with the first message, to save memory until then.
  const { createTransport } = await import("nodemailer");
  return createTransport({
    url,
    pool: true,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  });
}
