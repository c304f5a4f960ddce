/** `sign-in`: on the way to the checkout, with an account made before. */
export const visitSteps = ["landing", "plan", "sign-in"] as const;
export type VisitStep = (typeof visitSteps)[number];

export interface PageRequest {
  readonly method: string;
  /** Of the page, without a query. */
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** What the opening of a page counts as, when somebody who is not signed in opens it. */
export function stepsOf({ method, path, query, headers }: PageRequest): readonly VisitStep[] {
  if (method !== "GET" || !(path === "/" || isOfPlan(path)) || !isOpenedByPerson(headers)) return [];
  const hasPlan = typeof query.tier === "string";
  if (path === "/") return hasPlan && query.signup === "true" ? ["landing", "plan"] : ["landing"];
  return hasPlan ? ["plan"] : [];
}

/** Where a sign-in leads. */
export function leadsToCheckout(returnTo: string): boolean {
  return isCheckout(returnTo.split("?", 1)[0] ?? "");
}

function isOfPlan(path: string): boolean {
  return path === "/signup" || isCheckout(path);
}

function isCheckout(path: string): boolean {
  return path === "/checkout" || path === "/authorize-checkout";
}

/** As far as the request tells: in a window, not ahead of time, and not by a robot that says what it is. */
function isOpenedByPerson(headers: PageRequest["headers"]): boolean {
  const userAgent = String(headers["user-agent"]);
  const destination = headers["sec-fetch-dest"] ?? "document";
  const isAhead = String(headers["sec-purpose"] ?? headers.purpose ?? "").includes("prefetch");
  return destination === "document" && !isAhead && browser.test(userAgent) && !robot.test(userAgent);
}

/** All browsers begin like this, and few programs do. */
const browser = /^Mozilla\/5\.0 \(/;
const robot = /(?<!cu)bot\b|crawl|spider|slurp|headless|lighthouse|monitor|preview|externalhit|https?:\/\//i;
