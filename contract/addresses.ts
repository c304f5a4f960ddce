type Section = "hero" | "course" | "instructor" | "testimonials" | "pricing" | "faq" | "contact";

/** The URLs that pages link to, with their queries. */
export const href = {
  home: () => "/",
  section: (section: Section) => `/#${section}`,
  pricing: (tier?: string) => (tier ? withQuery("/", { plan: tier }) : "/#pricing"),
  signup: (plan?: { tier: string; priceId: string | null; price: number | string; code?: string | null }) =>
    plan
      ? withQuery("/signup", { tier: plan.tier, priceId: plan.priceId, price: plan.price, code: plan.code ?? null })
      : "/signup",
  checkout: (plan: { tier: string; priceId: string; name: string; price: number | string; code?: string | null }) =>
    withQuery("/checkout", {
      tier: plan.tier,
      priceId: plan.priceId,
      name: plan.name,
      price: plan.price,
      code: plan.code ?? null,
    }),
  courseAccess: (options?: { welcome: boolean }) =>
    options?.welcome ? "/course-access?welcome=true" : "/course-access",
  dashboard: () => "/dashboard",
  certificate: () => "/dashboard?tab=progress#certificate",
  verify: (code?: string) => (code ? `/verify/${encodeURIComponent(code)}` : "/verify"),
  resources: () => "/dashboard?tab=resources",
  demoDashboard: (lesson?: string) => withQuery("/demo-dashboard", { lesson: lesson ?? null }),
  question: (id: string) => `/questions/${encodeURIComponent(id)}`,
  questions: () => "/questions",
  profile: () => "/profile",
  /** Where the small window of a repeated sign-in ends. */
  signedIn: () => "/signed-in",
  myData: () => "/profile#my-data",
  receipt: (id: string) => `/receipts/${encodeURIComponent(id)}`,
  subscription: () => "/membership",
  coaching: () => "/coaching",
  coachingSession: (id: string) => `/coaching/${encodeURIComponent(id)}`,
  coach: () => "/coach",
  coachQuestions: () => "/coach/questions",
  coachSession: (id: string) => `/coach/${encodeURIComponent(id)}`,
  paymentMethod: () => "/payment-method",
  admin: (tab?: "users" | "purchases" | "messages") => (tab ? `/admin?tab=${tab}` : "/admin"),
  adminQuestions: () => "/admin/questions",
  adminUser: (id: string) => `/admin/users/${encodeURIComponent(id)}`,
  contact: () => "/contact",
  changes: () => "/changes",
  changesFeed: () => "/changes.atom",
  siteMap: () => "/sitemap",
  privacyPolicy: () => "/privacy-policy",
  termsOfService: () => "/terms-of-service",
} as const;

/** Encodes spaces as `%20`, like the specification. Skips parts that are null. */
function withQuery(path: string, query: Record<string, string | number | null>): string {
  const parts = Object.entries(query)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return parts.length > 0 ? `${path}?${parts.join("&")}` : path;
}
