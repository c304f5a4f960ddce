/* Inlined into the sign-up page: knows the plan, stores it, and opens the form to create an account. Imports types only, because shared code would be a file to load. */
import type { AnalyticsEvent, analyticsEvent } from "#app/analytics/analytics.ts";

const parts = ["tier", "priceId", "name", "price", "code"] as const;
const announcement: typeof analyticsEvent = "academy:analytics";

const root = document.documentElement;
const form = document.querySelector<HTMLFormElement>("#sign-up");
const button = form?.querySelector("button");
const label = button?.firstElementChild;

const query = new URLSearchParams(location.search);
// The server marks the document with the plan in its URL.
const isInLink = root.dataset.plan !== undefined;
if (!isInLink) root.dataset.plan = stored("tier") ?? "";
const shown = document.getElementById(`plan-${root.dataset.plan}`);
if (!shown) delete root.dataset.plan;

const code = (isInLink ? query.get("code") : stored("code"))?.trim();
const checkout = shown?.dataset.checkout;
const address = checkout && checkout + (code ? `&code=${encodeURIComponent(code)}` : "");
const plan = address ? new URL(address, location.origin).searchParams : null;

const isOutdated = (part: string) => query.has(part) && query.get(part) !== plan?.get(part);
if (isInLink && ["priceId", "price"].some(isOutdated)) shown?.querySelector("[role=status]")?.removeAttribute("hidden");

/** The URL of the sign-in, which returns to the plan's checkout. */
function withPlan(url: string): string {
  const { pathname, searchParams } = new URL(url, location.origin);
  if (address) searchParams.set("returnTo", address);
  return `${pathname}?${searchParams}`;
}
const signIn = document.querySelector<HTMLAnchorElement>("#sign-in");
if (signIn) signIn.href = withPlan(signIn.href);
const onward = document.querySelector<HTMLAnchorElement>("#continue");
if (onward && address) onward.href = address;

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  const failure = document.querySelector<HTMLElement>("#sign-up-failure");
  try {
    if (plan) store(plan);
    if (!navigator.onLine) throw new Error("The page would be gone, with nothing in its place");
  } catch {
    failure?.removeAttribute("hidden");
    root.dataset.failed = "";
    dispatchEvent(new Event("sign-up-failed"));
    return;
  }
  failure?.setAttribute("hidden", "");
  announce();
  setPending(true);
  location.assign(withPlan(form.dataset.url ?? ""));
});

// After a return from the sign-in service, the back-forward cache restores the page with its button still pending.
addEventListener("pageshow", ({ persisted }) => persisted && setPending(false));

const idle = [...(label?.childNodes ?? [])];
function setPending(isPending: boolean): void {
  const pending = form?.querySelector("template")?.content.cloneNode(true);
  if (button) button.disabled = isPending;
  label?.replaceChildren(...(isPending && pending ? [pending] : idle));
}

function announce(): void {
  const { tier = "", priceId = "", name = "", price } = Object.fromEntries(plan ?? []);
  const payload = plan ? { tier, priceId, name, value: Number(price), currency: "USD" } : {};
  const detail: AnalyticsEvent = { name: "complete-registration", payload };
  dispatchEvent(new CustomEvent(announcement, { detail }));
}

/** Such as `planPriceId`, which `app/plans/chosen-plan.ts` writes too. */
function keyOf(part: (typeof parts)[number]): string {
  return `plan${part.replace(/^./, (first) => first.toUpperCase())}`;
}

/** Null where storage is blocked. */
function stored(part: (typeof parts)[number]): string | null {
  try {
    return localStorage.getItem(keyOf(part));
  } catch {
    return null;
  }
}

/** Throws where storage is blocked or full. */
function store(chosen: URLSearchParams): void {
  for (const part of parts) {
    const value = chosen.get(part);
    if (value === null) localStorage.removeItem(keyOf(part));
    else localStorage.setItem(keyOf(part), value);
  }
}
