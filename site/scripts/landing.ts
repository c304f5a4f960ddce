/* Inlined into the landing page: handles its query, and the floating button. */

const query = new URLSearchParams(location.search);
const read = (name: string) => query.get(name) ?? "";
const academy: { planNames?: Readonly<Record<string, string>> } = JSON.parse(
  document.querySelector("#academy")?.textContent ?? "{}",
);
const labels = academy.planNames ?? {};
const plan = {
  tier: read("tier"),
  priceId: read("priceId"),
  name: labels[read("tier")] ?? "",
  price: read("price"),
  ...(query.has("code") && { code: read("code") }),
};

if (read("signup") === "true" && plan.tier in labels && plan.priceId && plan.price) signUp();
else if (query.has("plan")) goToPrices();

/** Stores the plan, clears the query, and opens the sign-in, which returns to the checkout. */
function signUp(): void {
  try {
    localStorage.setItem("planTier", plan.tier);
    localStorage.setItem("planPriceId", plan.priceId);
    localStorage.setItem("planPrice", plan.price);
    localStorage.setItem("planName", plan.name);
    // Otherwise the code of an earlier plan would apply to this one.
    if (plan.code) localStorage.setItem("planCode", plan.code);
    else localStorage.removeItem("planCode");
  } catch {
    // Storage is blocked. The checkout's URL contains everything.
  }
  history.replaceState(null, "", "/");
  const checkout = Object.entries(plan).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  location.assign(`/api/login?returnTo=${encodeURIComponent(`/checkout?${checkout.join("&")}`)}`);
}

/** The attribute makes the page's script scroll here again when loading fonts has moved the section. */
function goToPrices(): void {
  const pricing = document.querySelector<HTMLElement>("#pricing");
  document.documentElement.dataset.whole = "";
  if (pricing) pricing.dataset.arrived = "";
  pricing?.scrollIntoView();
  pricing?.focus({ preventScroll: true });
}

/** Pixels of scrolling after which the button appears. */
const appearsAfter = 500;

const prices = document.querySelector("#pricing");
const kept = document.querySelector<HTMLTemplateElement>("#enroll");
const button = kept?.content.firstElementChild;
if (prices && kept && button) {
  let isAtPrices = false;
  const float = () => {
    if (scrollY <= appearsAfter || isAtPrices) button.remove();
    else if (!button.isConnected) kept.before(button);
  };
  addEventListener("scroll", float, { passive: true });
  // Hides the button while the prices are visible, because it would cover what it links to.
  const observer = new IntersectionObserver(
    (changes) => {
      isAtPrices = changes.at(-1)?.isIntersecting ?? false;
      float();
    },
    { rootMargin: "-25% 0px" },
  );
  observer.observe(prices);
  float();
}

// The server doesn't know the reader's time zone. `formatOpening` is too large to be inlined.
for (const time of document.querySelectorAll("time")) {
  const year = /\d{4}/.test(time.textContent) ? "numeric" : undefined;
  const day = new Date(time.dateTime).toLocaleDateString("en-US", { month: "long", day: "numeric", year });
  time.textContent = `Opens ${day}`;
}

export {};
