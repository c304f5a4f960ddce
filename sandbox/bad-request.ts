/** A request that its sender can correct; answered as 400 with the message. */
export class BadRequest extends Error {
  readonly statusCode = 400;
}

/** Parses a body. @throws BadRequest when it is no JSON */
export function jsonOf(body: unknown): unknown {
  try {
    return JSON.parse(String(body ?? ""));
  } catch {
    throw new BadRequest("The body is not JSON.");
  }
}
