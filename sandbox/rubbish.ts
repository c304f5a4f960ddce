/** What somebody sent and can put right; answered as 400 with the sentence. */
export class Rubbish extends Error {
  readonly statusCode = 400;
}

/** The body as JSON. @throws Rubbish when it is none. */
export function jsonOf(body: unknown): unknown {
  try {
    return JSON.parse(String(body ?? ""));
  } catch {
    throw new Rubbish("The body is not JSON.");
  }
}
