import type { IncomingMessage, ServerResponse } from "node:http";
import { newId } from "#server/db/id.ts";
import { problemOf } from "#server/http/problems.ts";
import { Refusal, statusOf } from "#server/refusal.ts";

/** Probes, and whoever pays: they come last to be turned away, which is never. */
const spared = /^\/(healthz|readyz|api\/authorize-net\/)/;
const overloaded = new Refusal("unavailable", "The academy is very busy. Please try again in a moment.");

/**
 * Turns away at once whoever comes while `most` requests are under way: they would only make everybody wait, themselves
 * longest. Returns a function that says whether it did so.
 */
export function shedOverload(
  headers: Readonly<Record<string, string>>,
  most: number,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  let underWay = 0;
  return (request, response) => {
    if (underWay < most || spared.test(request.url ?? "")) {
      underWay += 1;
      response.once("close", () => {
        underWay -= 1;
      });
      return false;
    }
    response.writeHead(statusOf[overloaded.code], {
      ...headers,
      "content-type": "application/problem+json; charset=utf-8",
      "cache-control": "no-store",
      "retry-after": "2",
    });
    response.end(JSON.stringify(problemOf(overloaded, newId())));
    return true;
  };
}
