/* Stands in the landing page: what its address asks for, and the button that floats. */

const query = new URLSearchParams(location.search);
const read = (name: string) => query.get(name) ?? "";
const labels: Readonly<Record<string, string>> = {
  basic: "Monthly Access",
  premium: "Annual Access",
  vip: "Lifetime Access",
};
const plan = {
  tier: read("tier"),
  priceId: read("priceId"),
  name: labels[read("tier")] ?? "",
  price: read("price"),
  ...(query.has("code") && { code: read("code") }),
};

if (read("signup") === "true" && plan.tier in labels && plan.priceId && plan.price) signUp();
else if (query.has("plan")) goToPrices();

/** Keeps the plan in this browser, clears the address and sends the browser to sign in, from where it comes to the checkout. */
function signUp(): void {
  try {
    localStorage.setItem("planTier", plan.tier);
    localStorage.setItem("planPriceId", plan.priceId);
    localStorage.setItem("planPrice", plan.price);
    localStorage.setItem("planName", plan.name);
    // Without one, the code of a plan that was kept before would go on to this one.
    if (plan.code) localStorage.setItem("planCode", plan.code);
    else localStorage.removeItem("planCode");
  } catch {
    // Storage is switched off: the address of the checkout says it all.
  }
  history.replaceState(null, "", "/");
  const checkout = Object.entries(plan).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  location.assign(`/api/login?returnTo=${encodeURIComponent(`/checkout?${checkout.join("&")}`)}`);
}

/** The mark is for the page's own script, which goes there again when fonts have moved the section. */
function goToPrices(): void {
  const pricing = document.querySelector<HTMLElement>("#pricing");
  document.documentElement.dataset.whole = "";
  if (pricing) pricing.dataset.arrived = "";
  pricing?.scrollIntoView();
  pricing?.focus({ preventScroll: true });
}

/** Pixels of scrolling after which the button floats over the page. */
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
  // Where the prices are on screen, the button that leads to them would lie on them.
  const observer = new IntersectionObserver(
    ([entry]) => {
      isAtPrices = entry?.isIntersecting ?? false;
      float();
    },
    { rootMargin: "-25% 0px" },
  );
  observer.observe(prices);
  float();
}

export {};
