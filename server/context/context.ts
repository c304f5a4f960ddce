import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "#server/base/clock.ts";
import type { Db } from "#server/db/db.ts";
import type { Gateway } from "#server/gateway/gateway.ts";
import type { Client } from "#server/http/client.ts";
import type { Mail } from "#server/mail/mail.ts";
import type { OpenId } from "#server/openid/openid.ts";
import type { Scanner } from "#server/storage/scanner.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { Video } from "#server/video/video.ts";
import type { Visits } from "#server/visits/visits.ts";

export interface Site {
  /** No slash at the end. */
  readonly publicUrl: string;
  /** SUPPORT_EMAIL, which counts where the settings name no other. */
  readonly configuredSupportEmail: string;
  /** MAIL_FROM's name. */
  readonly configuredSenderName: string | null;
  /** Of the address that mails come from. */
  readonly senderDomain: string;
}

export interface Context {
  readonly site: Site;
  /** In lower case: who has confirmed one of them is an administrator. */
  readonly administratorEmails: readonly string[];
  readonly db: Db;
  /** The same database over connections of its own: payments get one while everything else waits. */
  readonly reserve: Db;
  readonly gateway: Gateway;
  readonly mail: Mail;
  readonly storage: Storage;
  readonly scanner: Scanner | null;
  /** Of one file that an administrator uploads. */
  readonly uploadLimitBytes: number;
  readonly video: Video;
  readonly meetingUrl: string | null;
  readonly openId: OpenId;
  readonly clock: Clock;
  readonly visits: Visits;
  /** Only who has the session secret can tell an address from the hash. */
  readonly hashClient: (client: Client) => string;
  readonly log: FastifyBaseLogger;
}
