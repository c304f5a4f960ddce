import { billingNotes } from "#app/plans/billing-notes.ts";
import { href } from "#contract/addresses.ts";
import type { Plan } from "#contract/catalogue.ts";
import { loginUrl, signUpUrl } from "#contract/identity/identity.ts";
import { formatPrice } from "#contract/money.ts";
import type { Tier } from "#contract/tiers.ts";
import { PriceTag } from "#ui/brand/price-tag.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Spinner } from "#ui/spinner.tsx";

export const signUpFailure = "Failed to start sign up process. Please try again.";

/** The server marks the document with the plan in its URL, and the page's script with one that this browser stored. */
const shownForTier: Readonly<Record<Tier, string>> = {
  basic: "hidden in-data-[plan=basic]:block",
  premium: "hidden in-data-[plan=premium]:block",
  vip: "hidden in-data-[plan=vip]:block",
};

const nextSteps = [
  { title: "Your account", text: "Enter your email address and a password. We'll email you a link to confirm it." },
  { title: "Your plan", text: "Pay for the plan you chose, or choose one of our three plans." },
  { title: "Your first lesson", text: "The course opens as soon as your payment goes through." },
];

/** The page that leads to the form to create an account. `site/scripts/signup.ts` adds the plan to its links. */
export function SignUp({ plans }: { plans: readonly Plan[] }) {
  return (
    <div className="page-grid items-start gap-y-12">
      <div className="col-span-full lg:col-span-7">
        <h1 className="wide max-w-[12ch] text-display">Create your account</h1>
        <p className="mt-5 max-w-[44ch] text-lead text-ink-soft">
          One account for your lessons, your progress, and everything you buy here.
        </p>
      </div>
      <div className="col-span-full md:col-span-8 lg:col-span-5 lg:row-span-2">
        <PriceTag loud className="w-full">
          <div className="grid min-h-40 content-start">
            {plans.map((plan) => (
              <ChosenPlan key={plan.tier} {...plan} />
            ))}
            <NoPlan />
          </div>
          {/* Without scripts, posts to this URL with the plan, and the server replies with a link to the sign-in. */}
          <form id="sign-up" method="post" data-url={signUpUrl(href.dashboard())}>
            <Button type="submit" size="large" wide className="on-tag mt-8 disabled:opacity-100">
              Create account
            </Button>
            <template>
              <Spinner /> Creating account…
            </template>
          </form>
          <p id="sign-up-failure" hidden className="mt-3 font-semibold text-danger">
            {signUpFailure}
          </p>
          <p className="for-visitors mt-5 text-sm">
            Already have an account?{" "}
            <a id="sign-in" href={loginUrl(href.dashboard())} className="font-bold underline underline-offset-4">
              Sign in
            </a>
          </p>
          <p className="for-students mt-5 text-sm">
            You're already signed in.{" "}
            <a id="continue" href={href.dashboard()} className="font-bold underline underline-offset-4">
              Continue
            </a>
          </p>
        </PriceTag>
      </div>
      <div className="col-span-full lg:col-span-7">
        <NextSteps />
      </div>
    </div>
  );
}

function ChosenPlan({ tier, id, name, price }: Plan) {
  return (
    <div
      id={`plan-${tier}`}
      data-checkout={href.checkout({ tier, priceId: id, name, price })}
      className={shownForTier[tier]}
    >
      <h2 className="wide text-heading">{name}</h2>
      <p className="narrow mt-3 text-price">{formatPrice(price)}</p>
      <p className="printed mt-2">{billingNotes[tier]}</p>
      <p role="status" hidden className="mt-4 rounded-sm border-2 border-current px-3 py-2 text-sm">
        The price in your link is out of date. {name} costs {formatPrice(price)} now.
      </p>
    </div>
  );
}

function NoPlan() {
  return (
    <div className="in-data-plan:hidden">
      <h2 className="wide text-heading">No plan chosen yet</h2>
      <p className="mt-3">
        You can create your account first and choose later.{" "}
        <a href={href.pricing()} className="font-bold underline underline-offset-4">
          See the plans
        </a>
      </p>
    </div>
  );
}

function NextSteps() {
  return (
    <section aria-labelledby="next-title">
      <h2 id="next-title" className="font-bold text-heading">
        What happens next
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
