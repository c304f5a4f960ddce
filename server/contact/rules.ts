import { minWritingMs } from "#contract/contact.ts";
import { HOUR, SECOND } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";

export interface Received {
  readonly ofClient: number;
  readonly ofAll: number;
}

/** More than a person writes in an hour, and more than a team reads in one. @throws Refusal too-many-requests. */
export function checkReceived({ ofClient, ofAll }: Received): void {
  if (ofClient < 10 && ofAll < 200) return;
  throw new Refusal("too-many-requests", "Too many messages were sent from here. Please try again in an hour.", {
    retryAfterSeconds: HOUR / SECOND,
  });
}

/** A filled hidden field, or a form sent faster than anybody can read it. */
export function isWrittenByProgram(form: { website?: string | undefined; elapsed?: number | undefined }): boolean {
  return Boolean(form.website) || (form.elapsed !== undefined && form.elapsed < minWritingMs);
}
