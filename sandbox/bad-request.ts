/** What somebody sent and can put right; answered as 400 with the sentence. */
export class BadRequest extends Error {
  readonly statusCode = 400;
}

/** The body as JSON. @throws BadRequest when it is none. */
export function jsonOf(body: unknown): unknown {
  try {
    return JSON.parse(String(body ?? ""));
  } catch {
    throw new BadRequest("The body is not JSON.");
  }
}
