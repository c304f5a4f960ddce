import { cx } from "class-variance-authority";
import { useLayoutEffect, useRef } from "react";
import { href } from "#contract/addresses.ts";
import { loginUrl } from "#contract/identity/identity.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field, Input, Select } from "#ui/controls/field.tsx";
import { Spinner } from "#ui/spinner.tsx";
import { expiryYears, isAmericanExpress, months } from "./card-form.ts";
import { CardNumberInput } from "./card-number-input.tsx";
import { ScriptState, TestCardHint } from "./script-state.tsx";
import type { CardFormState } from "./use-card-form.ts";
import type { PaymentFailure } from "./use-payment.ts";

/** The cardholder's first and last name. Firefox knows neither `cc-given-name` nor `cc-family-name`. */
export function NameFields({ card: { labelled, control } }: { card: CardFormState }) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field {...labelled("firstName")}>
        <Input {...control("firstName")} autoComplete="given-name" maxLength={50} />
      </Field>
      <Field {...labelled("lastName")}>
        <Input {...control("lastName")} autoComplete="family-name" maxLength={50} />
      </Field>
    </div>
  );
}

/** The card's number, expiry date, code and ZIP. */
export function CardFields({ card: { script, labelled, control, choice, number } }: { card: CardFormState }) {
  // Of a browser with a wrong clock, only until the server has answered.
  const year = script.state === "ready" ? script.config.year : new Date().getFullYear();
  return (
    <fieldset className="grid gap-5">
      <legend className="printed mb-4 text-ink-soft">Card</legend>
      <TestCardHint script={script} />
      <Field {...labelled("cardNumber")}>
        <CardNumberInput {...number} />
      </Field>
      <div className="grid grid-cols-2 gap-5 sm:grid-cols-4">
        <Field {...labelled("expMonth")}>
          <Select {...choice("expMonth")} autoComplete="cc-exp-month">
            <option value="">MM</option>
            {months.map((month) => (
              <option key={month} value={month}>
                {month}
              </option>
            ))}
          </Select>
        </Field>
        <Field {...labelled("expYear")}>
          <Select {...choice("expYear")} autoComplete="cc-exp-year">
            <option value="">YYYY</option>
            {expiryYears(year).map((year) => (
              <option key={year} value={year}>
                {year}
              </option>
            ))}
          </Select>
        </Field>
        <Field {...labelled("cvv")}>
          <Input
            {...control("cvv")}
            placeholder={isAmericanExpress(number.value) ? "4 digits" : "3 digits"}
            inputMode="numeric"
            autoComplete="cc-csc"
            maxLength={4}
          />
        </Field>
        <Field {...labelled("zip")}>
          <Input {...control("zip")} autoCapitalize="characters" autoComplete="billing postal-code" maxLength={10} />
        </Field>
      </div>
    </fieldset>
  );
}

interface CardSubmitProps {
  card: CardFormState;
  isProcessing: boolean;
  /** The title above the last failure. */
  failureTitle?: string;
  /** Stays after the toast closes. */
  failure: PaymentFailure | null;
  label: string;
  /** Small print below the button. */
  note: string | null;
}

/**
 * The submit button, disabled until the gateway's script has loaded, with the reason. The last failure is shown above
 * it.
 */
export function CardSubmit(props: CardSubmitProps) {
  const { isProcessing, failureTitle = "Payment Failed", failure, label, note } = props;
  const { script } = props.card;
  const isShown = failure && !isProcessing;
  return (
    <div className="grid gap-3">
      {isShown && <FailureNotice title={failureTitle} failure={failure} />}
      <Button type="submit" variant="tag" size="large" wide disabled={isProcessing || script.state !== "ready"}>
        {isProcessing ? (
          <>
            <Spinner /> Processing…
          </>
        ) : (
          label
        )}
      </Button>
      <ScriptState script={script} />
      {note && <p className="text-fine text-ink-soft">{note}</p>}
      {/* Where the toast is above the form, and not beside it: room to scroll the button out from under it. */}
      {isShown && <div className="h-44 lg:hidden" />}
    </div>
  );
}

/** Comes into view and gets the focus, because a phone shows only a part of the form. */
function FailureNotice({ title, failure: { kind, message } }: { title: string; failure: PaymentFailure }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    element.current?.focus({ preventScroll: true });
    element.current?.scrollIntoView({ block: "start", behavior: "instant" });
  }, []);
  return (
    <div
      ref={element}
      role="alert"
      tabIndex={-1}
      className={cx(
        "-scroll-mt-16 rounded-sm border-l-4 px-5 py-4 [@media(max-height:20rem)]:-scroll-mt-21",
        kind === "updated" ? "border-ink bg-kraft-soft text-ink" : "border-danger bg-danger-soft text-danger",
      )}
    >
      {kind !== "updated" && <strong className="block">{title}</strong>}
      <p>{message}</p>
      {kind === "signed-out" && (
        <p>
          <a
            href={loginUrl(href.signedIn())}
            target="_blank"
            className="font-bold underline underline-offset-4"
            rel="noopener"
          >
            Sign in in a new tab
          </a>
          , then pay here. We'll keep what you typed.
        </p>
      )}
    </div>
  );
}

export const cardPromise =
  "Your card goes straight to the payment provider, encrypted in this browser. We never see or keep its number.";
