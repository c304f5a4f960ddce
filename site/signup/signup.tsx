import { useQuery, useQueryClient } from "@tanstack/react-query";
import { cx } from "class-variance-authority";
import { type FormEvent, useEffect, useState } from "react";
import { completeRegistration } from "#app/analytics/analytics.ts";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { billingNotes } from "#app/plans/billing-notes.ts";
import { type ChosenPlan, planInQuery, savedPlan, savePlan } from "#app/plans/chosen-plan.ts";
import { isOutdated, plansQuery, useBuiltInPlans, usePlans } from "#app/plans/plans.ts";
import { href } from "#contract/addresses.ts";
import { loginUrl, signUpUrl } from "#contract/identity/identity.ts";
import { formatPrice } from "#contract/money.ts";
import type { Tier } from "#contract/tiers.ts";
import { PriceTag } from "#ui/brand/price-tag.tsx";
import { useHydrated } from "#ui/browser-state.ts";
import { Button } from "#ui/controls/button.tsx";
import { Spinner } from "#ui/spinner.tsx";
import { toast } from "#ui/toast/toast.ts";

/** The server marks the document with the plan in its URL. Until the scripts run, styles show that one. */
const shownForTier: Readonly<Record<Tier, string>> = {
  basic: "hidden in-data-[plan=basic]:block",
  premium: "hidden in-data-[plan=premium]:block",
  vip: "hidden in-data-[plan=vip]:block",
};

/** Hides what scripts may change soon. Browsers without them, or in which they fail, show it. */
const untilHydrated = "invisible noscript:visible animate-[show-after-all_1ms_4s_forwards]";

/** The steps after signing up. */
const nextSteps = [
  { title: "Your account", text: "An email address and a password. We send a link to confirm the address." },
  { title: "Your plan", text: "Pay for the plan you chose, or choose one of three." },
  { title: "Your first lesson", text: "The course opens as soon as the payment has gone through." },
];

/** Stores the chosen plan, and opens the form to create an account. */
export function SignUp() {
  const isHydrated = useHydrated();
  const plan = isHydrated ? chosenPlan() : null;
  const { user } = useCurrentUser();
  const { signUp, isStarting, failure } = useSignUp();
  return (
    <div className="page-grid items-start gap-y-12">
      <div className="col-span-full lg:col-span-7">
        <h1 className="wide max-w-[12ch] text-display">Create your account</h1>
        <p className="mt-5 max-w-[44ch] text-lead text-ink-soft">
          One account for the lessons, your progress and everything you buy here.
        </p>
      </div>
      <div className="col-span-full md:col-span-8 lg:col-span-5 lg:row-span-2">
        <PriceTag loud className="w-full">
          <div className="grid min-h-40 content-start">
            {isHydrated ? <ChosenPlanLines plan={plan} /> : <PlanLinesByMark />}
          </div>
          {/* Without scripts, posts to this URL with the plan, and the server redirects to the sign-in. */}
          <form method="post" onSubmit={signUp}>
            <Button type="submit" size="large" wide disabled={isStarting} className="on-tag mt-8 disabled:opacity-100">
              {isStarting ? (
                <>
                  <Spinner /> Creating account…
                </>
              ) : (
                "Create account"
              )}
            </Button>
          </form>
          {failure && <p className="mt-3 font-semibold text-danger">{failure}</p>}
          {/* The link leads to the plan's checkout, which only the browser knows. */}
          <p className={cx("for-visitors mt-5 text-sm", !isHydrated && untilHydrated)}>
            Already have an account?{" "}
            <a href={loginUrl(addressAfterSignIn(plan))} className="font-bold underline underline-offset-4">
              Sign in
            </a>
          </p>
          {user && (
            <p className="for-students mt-5 text-sm">
              You are signed in as {user.email}.{" "}
              <a href={addressAfterSignIn(plan)} className="font-bold underline underline-offset-4">
                Continue
              </a>
            </p>
          )}
        </PriceTag>
      </div>
      <div className="col-span-full lg:col-span-7">
        <NextSteps />
      </div>
    </div>
  );
}

/** The plan in the URL, else the stored one. Known only in the browser. */
function chosenPlan(): ChosenPlan | null {
  return planInQuery(new URLSearchParams(window.location.search)) ?? savedPlan();
}

interface SignUpAction {
  signUp: (event: FormEvent) => Promise<void>;
  isStarting: boolean;
  /** Why the last click led nowhere. */
  failure: string | null;
}

function useSignUp(): SignUpAction {
  const queryClient = useQueryClient();
  const builtIn = useBuiltInPlans();
  const [isStarting, setIsStarting] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  // After a return from the sign-in service, the back-forward cache restores the page with its button still pending.
  useEffect(() => {
    const again = (event: PageTransitionEvent) => event.persisted && setIsStarting(false);
    window.addEventListener("pageshow", again);
    return () => window.removeEventListener("pageshow", again);
  }, []);

  async function signUp(event: FormEvent): Promise<void> {
    event.preventDefault();
    setIsStarting(true);
    setFailure(null);
    try {
      // Reads the current plan: the click that hydrates the page precedes the render that knows it.
      const plan = chosenPlan();
      const chosen = plan && (await withPriceId(plan));
      if (chosen && !savePlan(chosen)) throw new Error("This browser keeps nothing");
      if (!navigator.onLine) throw new Error("The page would be gone, and nothing in its place");
      completeRegistration(chosen && { ...chosen, value: Number(chosen.price) });
      window.location.assign(signUpUrl(addressAfterSignIn(chosen)));
    } catch {
      const reason = "Failed to start sign up process. Please try again.";
      setIsStarting(false);
      setFailure(reason);
      toast({ title: "Error", description: reason, destructive: true });
    }
  }

  /** Adds the price id to a plan that was chosen before the server's list had arrived. */
  async function withPriceId(plan: ChosenPlan): Promise<ChosenPlan> {
    if (plan.priceId !== null) return plan;
    const plans = await queryClient.ensureQueryData(plansQuery).catch(() => builtIn);
    return { ...plan, priceId: plans.find(({ tier }) => tier === plan.tier)?.priceId ?? null };
  }

  return { signUp, isStarting, failure };
}

function addressAfterSignIn(plan: ChosenPlan | null): string {
  return plan?.priceId ? href.checkout({ ...plan, priceId: plan.priceId }) : href.dashboard();
}

/** All plans, of which the document's mark shows one. */
function PlanLinesByMark() {
  const plans = useBuiltInPlans();
  return (
    <>
      {plans.map((plan) => (
        <div key={plan.tier} className={shownForTier[plan.tier]}>
          <PlanLines {...plan} />
        </div>
      ))}
      <div className={cx("in-data-plan:hidden", untilHydrated)}>
        <ChosenPlanLines plan={null} />
      </div>
    </>
  );
}

function ChosenPlanLines({ plan }: { plan: ChosenPlan | null }) {
  const plans = usePlans();
  if (!plan) {
    return (
      <>
        <h2 className="wide text-heading">No plan chosen yet</h2>
        <p className="mt-3">
          You can make the account first and choose later.{" "}
          <a href={href.pricing()} className="font-bold underline underline-offset-4">
            See the plans
          </a>
        </p>
      </>
    );
  }
  const current = plans.find(({ tier }) => tier === plan.tier);
  return (
    <>
      <PlanLines tier={plan.tier} name={current?.name ?? plan.name} price={Number(plan.price)} />
      <PriceNotice plan={plan} />
    </>
  );
}

function PlanLines({ tier, name, price }: { tier: Tier; name: string; price: number }) {
  return (
    <>
      <h2 className="wide text-heading">{name}</h2>
      <p className="narrow mt-3 text-price">{formatPrice(price)}</p>
      <p className="printed mt-2">{billingNotes[tier]}</p>
    </>
  );
}

/** Shown when the link's price is outdated: only the current price is charged, and the checkout would refuse. */
function PriceNotice({ plan }: { plan: ChosenPlan }) {
  const current = useQuery(plansQuery).data?.find(({ tier }) => tier === plan.tier);
  if (!current || !isOutdated(plan, current)) return null;
  return (
    <p role="status" className="mt-4 rounded-sm border-2 border-current px-3 py-2 text-sm">
      This price is out of date. {current.name} costs {formatPrice(current.price)} now.{" "}
      <a href={href.signup({ ...current, code: plan.code })} className="font-bold underline underline-offset-4">
        Continue with today's price
      </a>
    </p>
  );
}

function NextSteps() {
  return (
    <section aria-labelledby="next-title">
      <h2 id="next-title" className="font-bold text-heading">
        What comes next
      </h2>
      <ol className="mt-4 border-ink border-t-2">
        {nextSteps.map(({ title, text }, at) => (
          <li key={title} className="grid grid-cols-[2rem_1fr] gap-x-4 border-line border-b py-5">
            <span aria-hidden="true" className="narrow text-title leading-7">
              {at + 1}
            </span>
            <div>
              <h3 className="font-bold text-lg">{title}</h3>
              <p className="text-ink-soft">{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
