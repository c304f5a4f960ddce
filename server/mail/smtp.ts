import type { Transporter } from "nodemailer";
import { isBeyondAscii } from "#contract/email-address.ts";
import { MINUTE, SECOND } from "#server/base/clock.ts";
import { type Mail, MailNotAccepted } from "./mail.ts";

interface Sender {
  readonly name: string;
  readonly address: string;
}

/**
 * @param url smtp://user:password@host:port or smtps://…
 * @param host of the academy, for Message-IDs and for the greeting of the mail server
 * @param findSender asked for each message
 */
export function smtpMail(url: string, host: string, findSender: () => Promise<Sender>): Mail {
  // At most 12 messages wait in it, as many as jobs run at once.
  let opened: Promise<Transporter> | undefined;
  const isUtf8Offered = askAboutUtf8(url, host);
  return {
    async send({ calendar, unsubscribeUrl, ...message }, id) {
      opened ??= open(url, host);
      const transport = await opened;
      const from = await findSender();
      try {
        const icalEvent = calendar && { ...calendar, filename: "session.ics" };
        const headers = {
          // Keeps absence notes and other answers by programs away.
          "Auto-Submitted": "auto-generated",
          ...(unsubscribeUrl && { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
        };
        const list = unsubscribeUrl && { list: { unsubscribe: unsubscribeUrl } };
        const messageId = `<${id}@${host}>`;
        await transport.sendMail({ from, ...message, messageId, headers, ...(icalEvent && { icalEvent }), ...list });
      } catch (error) {
        // The server's reply names the recipient, and would get into the log and the job's row.
        const { code, responseCode } = error as { code?: string; responseCode?: number };
        throw new MailNotAccepted(
          `the mail server did not accept a message: ${code ?? "unknown"} ${responseCode ?? ""}`.trimEnd(),
          { isForGood: code === "EENVELOPE" && (responseCode ?? 0) >= 500 },
        );
      }
    },
    async canWriteTo(address) {
      return !isBeyondAscii(address) || isUtf8Offered();
    },
    async close() {
      (await opened)?.close();
    },
  };
}

/**
 * Asks again after ten minutes. While the server cannot be reached, its last answer counts. Before the first one, jobs try
 * to send.
 */
function askAboutUtf8(url: string, host: string): () => Promise<boolean> {
  let [last, askAgainAt] = [true, 0];
  let asking: Promise<void> | undefined;
  return async () => {
    if (performance.now() >= askAgainAt) {
      asking ??= offersUtf8(url, host)
        .then((answer) => {
          [last, askAgainAt] = [answer, performance.now() + 10 * MINUTE];
        })
        .catch(() => {
          askAgainAt = performance.now() + 30 * SECOND;
        })
        .finally(() => {
          asking = undefined;
        });
      await asking;
    }
    return last;
  };
}

/** Whether the mail server offers SMTPUTF8 (RFC 6531) in its greeting. @throws when it cannot be reached */
export async function offersUtf8(url: string, host: string): Promise<boolean> {
  const [transport, { default: SMTPConnection }] = await Promise.all([
    open(url, host),
    import("nodemailer/lib/smtp-connection"),
  ]);
  const connection = new SMTPConnection(transport.options);
  try {
    await new Promise<void>((resolve, reject) => {
      connection.on("error", reject);
      connection.connect((error) => (error ? reject(error) : resolve()));
    });
    return /^250[- ]SMTPUTF8\b/im.test(String(connection.lastServerResponse));
  } finally {
    connection.close();
    transport.close();
  }
}

/** Signs in to the mail server. @throws when it refuses our credentials */
export async function greetMailServer(url: string, host: string): Promise<void> {
  const transport = await open(url, host);
  await transport.verify().finally(() => transport.close());
}

async function open(url: string, host: string): Promise<Transporter> {
  // Loads the library with the first message, to save memory until then.
  const { createTransport } = await import("nodemailer");
  return createTransport({
    url,
    name: host,
    pool: true,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  });
}
