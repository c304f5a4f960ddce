import type { AddressInfo } from "node:net";
import PostalMime, { type Address, type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import type { Clock } from "#server/base/clock.ts";
import { insertRow, keepSetting, listRows, readSetting, type Store } from "./store.ts";

export interface Mail {
  readonly id: number;
  /** Addresses without names; several are separated by ", ". */
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The iCalendar part; null without one. */
  readonly calendar: string | null;
  readonly at: string;
}

const MAX_MAIL_BYTES = 10 * 1024 * 1024;

/**
 * Receives mail on the loopback and stores it. Reuses its last port if that is free, so that a running academy finds
 * it after a restart.
 * @returns the SMTP address, and a function that stops it
 */
export async function openMailbox(store: Store, clock: Clock) {
  const preferred = Number(readSetting(store, "smtp-port") ?? 0);
  const server = await listen(store, clock, preferred).catch((error: unknown) => {
    if (preferred === 0) throw error;
    return listen(store, clock, 0);
  });
  const taken = (server.server.address() as AddressInfo).port;
  keepSetting(store, "smtp-port", String(taken));
  return {
    smtpUrl: `smtp://127.0.0.1:${taken}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function listen(store: Store, clock: Clock, port: number): Promise<SMTPServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    size: MAX_MAIL_BYTES,
    closeTimeout: 500,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (stream.sizeExceeded) return callback(new Error("The message is too large."));
        const recipients = session.envelope.rcptTo.map((recipient) => recipient.address);
        keepMail(store, clock, Buffer.concat(chunks), recipients).then(
          () => callback(null),
          (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
        );
      });
    },
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      // Ignores clients that disconnect in the middle of a message.
      server.on("error", () => {});
      resolve(server);
    });
  });
}

async function keepMail(store: Store, clock: Clock, raw: Buffer, recipients: readonly string[]): Promise<void> {
  const mail = await PostalMime.parse(raw);
  const named = (mail.to ?? []).flatMap(addressesOf);
  const to = named.length > 0 ? named : recipients;
  const row = {
    messageId: mail.messageId ?? null,
    recipient: to.join(", "),
    sender: mail.from ? addressesOf(mail.from).join(", ") : "",
    subject: mail.subject ?? "",
    text: mail.text ?? "",
    html: mail.html ?? "",
    calendar: calendarIn(mail),
    at: clock.now().toISOString(),
  };
  insertRow(store, "mails", row, "ignore");
}

function calendarIn({ attachments }: Email): string | null {
  const entry = attachments.find(({ mimeType }) => mimeType === "text/calendar");
  if (!entry) return null;
  return typeof entry.content === "string" ? entry.content : new TextDecoder().decode(entry.content);
}

function addressesOf(address: Address): string[] {
  return address.group ? address.group.map((member) => member.address) : [address.address];
}

/** All mails, or those to one address, newest first. */
export function listMails(store: Store, to: string | null = null): Mail[] {
  const columns = 'number as id, recipient as "to", sender as "from", subject, text, html, calendar, at';
  const query = `select ${columns} from mails where ? is null or recipient = ? order by number desc`;
  return listRows(store, query, to, to);
}

export function emptyMailbox(store: Store): void {
  store.exec("delete from mails");
}
