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

export interface Site {
  /** No slash at the end. */
  readonly publicUrl: string;
  readonly supportEmail: string;
}

/** What every use case gets first: the edges of the server. */
export interface Context {
  readonly site: Site;
  /** In lower case: who has confirmed one of them is an administrator. */
  readonly administratorEmails: readonly string[];
  readonly db: Db;
  /** The same database over connections of its own, for payments: when everything else waits for one, they do not. */
  readonly reserve: Db;
  readonly gateway: Gateway;
  readonly mail: Mail;
  readonly storage: Storage;
  /** Null where no malware scanner is configured. */
  readonly scanner: Scanner | null;
  /** Of one file that an administrator uploads. */
  readonly uploadLimitBytes: number;
  readonly video: Video;
  /** Where coaches without a room of their own meet students; `{id}` in it is the room. Null: each needs one. */
  readonly meetingUrl: string | null;
  readonly openId: OpenId;
  readonly clock: Clock;
  /** The client's key as it is kept to count by: only who has the session secret can tell an address from it. */
  readonly hashClient: (client: Client) => string;
  readonly log: FastifyBaseLogger;
}
