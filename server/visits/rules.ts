/** sign-in: by an existing account, on the way to the checkout. */
export const visitSteps = ["landing", "plan", "sign-in"] as const;
export type VisitStep = (typeof visitSteps)[number];

export interface PageRequest {
  readonly method: string;
  /** The path of the page, without a query. */
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The steps that count when a visitor without a session opens a page. */
export function stepsOf({ method, path, query, headers }: PageRequest): readonly VisitStep[] {
  if (method !== "GET" || !(path === "/" || isOfPlan(path)) || !isOpenedByPerson(headers)) return [];
  const hasPlan = typeof query.tier === "string";
  if (path === "/") return hasPlan && query.signup === "true" ? ["landing", "plan"] : ["landing"];
  return hasPlan ? ["plan"] : [];
}

export function leadsToCheckout(returnTo: string): boolean {
  return isCheckout(returnTo.split("?", 1)[0] ?? "");
}

function isOfPlan(path: string): boolean {
  return path === "/signup" || isCheckout(path);
}

function isCheckout(path: string): boolean {
  return path === "/checkout" || path === "/authorize-checkout";
}

/** Whether a person opens the page, as far as headers tell: no prefetch, no frame, no declared robot. */
function isOpenedByPerson(headers: PageRequest["headers"]): boolean {
  const userAgent = String(headers["user-agent"]);
  const destination = headers["sec-fetch-dest"] ?? "document";
  const isAhead = String(headers["sec-purpose"] ?? headers.purpose ?? "").includes("prefetch");
  return destination === "document" && !isAhead && browser.test(userAgent) && !robot.test(userAgent);
}

/** The user agent of every browser begins like this, and that of few programs. */
const browser = /^Mozilla\/5\.0 \(/;
const robot = /(?<!cu)bot\b|crawl|spider|slurp|headless|lighthouse|monitor|preview|externalhit|https?:\/\//i;
