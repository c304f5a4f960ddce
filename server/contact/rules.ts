import { minWritingMs } from "#contract/contact.ts";
import { HOUR, SECOND } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";

export interface Received {
  readonly ofClient: number;
  readonly ofAll: number;
}

/**
 * Limits messages per hour: more than a person writes, and in total more than a team reads.
 * @throws Refusal too-many-requests.
 */
export function checkReceived({ ofClient, ofAll }: Received): void {
  if (ofClient < 10 && ofAll < 200) return;
  throw new Refusal(
    "too-many-requests",
    "We've received too many messages from your network. Please try again in an hour.",
    {
      retryAfterSeconds: HOUR / SECOND,
    },
  );
}

/** Whether the hidden field is filled, or the form was sent faster than a person writes. */
export function seemsWrittenByProgram(form: { website?: string | undefined; elapsed?: number | undefined }): boolean {
  return Boolean(form.website) || (form.elapsed !== undefined && form.elapsed < minWritingMs);
}
