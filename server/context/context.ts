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
  /** In lower case. An account with one of these addresses, confirmed, is an owner. */
  readonly administratorEmails: readonly string[];
  readonly db: Db;
  /** The same database over reserved connections, so that payments never queue behind other requests. */
  readonly reserve: Db;
  readonly gateway: Gateway;
  readonly mail: Mail;
  readonly storage: Storage;
  readonly scanner: Scanner | null;
  /** The largest file that an administrator may upload. */
  readonly uploadLimitBytes: number;
  /** The largest video. */
  readonly videoLimitBytes: number;
  readonly video: Video;
  /** The program that converts uploaded videos; null: none is installed. */
  readonly ffmpegPath: string | null;
  /** Whether this node takes uploaded videos, which it otherwise receives for others (VIDEO_WORKERS). */
  readonly preparesVideos: boolean;
  readonly meetingUrl: string | null;
  readonly openId: OpenId;
  readonly clock: Clock;
  /** Coaching, a later domain than those that ask, knows its coaches. Null for a blocked or unconfirmed account. */
  readonly coachOf: (user: {
    readonly id: string;
    readonly accountStatus: string;
    readonly emailVerified: boolean;
  }) => Promise<{ readonly isActive: boolean } | null>;
  /** Imports, a later domain, give what waits for the user's address, which must be confirmed. */
  readonly claimImported: (tx: Db, user: { readonly id: string; readonly email: string }) => Promise<void>;
  readonly visits: Visits;
  /** Nobody can find the address from the hash without the session secret. */
  readonly hashClient: (client: Client) => string;
  /** Hashes an email address for rate limits that outlive the account. */
  readonly hashAddress: (email: string) => string;
  /** The same for all spellings of an address and over the years; see `openLastingHash`. */
  readonly hashMailbox: (email: string) => string;
  /** 32 bytes that stay the same over the years, and that no copy of the database tells. */
  readonly deriveSecret: (purpose: string) => Buffer;
  /** WEBHOOKS_ALLOW_PRIVATE: webhooks may be sent to this machine and over http. */
  readonly allowsPrivateWebhooks: boolean;
  /** Addresses of videos: who has one can neither read nor change it. Null: not sealed by this academy. */
  readonly addressSeal: { seal(text: string): string; unseal(sealed: string): string | null };
  readonly log: FastifyBaseLogger;
}
