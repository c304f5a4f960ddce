import { type FormEvent, type KeyboardEvent, useRef, useState } from "react";
import type { CurrentUser } from "#contract/identity.ts";
import { type PaymentConfig, type RenewalConsentVersion, renewalConsent } from "#contract/purchases.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox, Field, Input, Select } from "../ui/field.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { toast } from "../ui/toast.tsx";
import {
  type CardField,
  type CardForm,
  cardFieldLabels,
  cardFields,
  expiryYears,
  isAmericanExpress,
  missingFields,
  months,
} from "./card-form.ts";
import { CardNumberInput } from "./card-number-input.tsx";
import { isCardScriptReady } from "./card-script.ts";
import type { PlanOnSale } from "./plans.ts";
import { billingNotes, formatAmount } from "./price.ts";
import { ScriptState, TestCardHint } from "./script-state.tsx";
import { useCardScript } from "./use-card-script.ts";

type Errors = Partial<Record<CardField | "consent", string>>;

interface PaymentFormProps {
  user: CurrentUser;
  plan: PlanOnSale;
  isProcessing: boolean;
  /** `consent` is the version of the renewal text that was ticked, for a plan that renews. */
  onPay: (config: PaymentConfig, form: CardForm, consent: RenewalConsentVersion | undefined) => void;
}

/** The card form. What is typed stays in this component and is gone with it. */
export function PaymentForm({ user, plan, isProcessing, onPay }: PaymentFormProps) {
  const script = useCardScript();
  const element = useRef<HTMLFormElement>(null);
  const [form, setForm] = useState<CardForm>(() => emptyForm(user));
  const [hasConsent, setHasConsent] = useState(false);
  const [errors, setErrors] = useState<Errors>({});
  const isRenewing = plan.tier === "basic";

  function change(field: CardField, value: string): void {
    setForm((before) => ({ ...before, [field]: value }));
    setErrors(({ [field]: _, ...others }) => others);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isProcessing) return;
    if (script.state !== "ready" || !isCardScriptReady()) {
      sayNotReady();
      return;
    }
    const faults = faultsOf(form, element.current, isRenewing && !hasConsent);
    setErrors(faults);
    const first = [...cardFields, "consent" as const].find((field) => faults[field]);
    if (first) {
      (element.current?.elements.namedItem(first) as HTMLElement | null)?.focus();
      if (missingFields(form).length > 0) {
        toast({ title: "Missing Information", description: "Please fill in all required fields.", destructive: true });
      }
      return;
    }
    onPay(script.config, form, isRenewing ? renewalConsent.version : undefined);
  }

  // A disabled button keeps Enter from submitting, and then nothing would say why.
  function explainEnter(event: KeyboardEvent): void {
    if (event.key === "Enter" && event.target instanceof HTMLInputElement && script.state !== "ready") sayNotReady();
  }

  const control = (name: CardField) => ({
    name,
    value: form[name],
    required: true,
    readOnly: isProcessing,
    onChange: (event: { target: { value: string } }) => change(name, event.target.value),
  });
  const choice = (name: CardField) => {
    const { readOnly, ...others } = control(name);
    return { ...others, disabled: readOnly };
  };
  const labelled = (name: CardField, className?: string) => ({
    label: cardFieldLabels[name],
    error: errors[name],
    ...(className && { className }),
  });

  return (
    <form ref={element} noValidate onSubmit={submit} onKeyDown={explainEnter} className="grid gap-8">
      <div>
        <h1 className="wide text-title">Checkout</h1>
        <p className="mt-3 max-w-[52ch] text-ink-soft">
          Your card goes straight to the payment provider, encrypted in this browser. We never see or keep its number.
        </p>
      </div>
      <fieldset className="grid gap-5">
        <legend className="printed mb-4 text-ink-soft">Who is paying</legend>
        <div className="grid gap-5 sm:grid-cols-2">
          <Field {...labelled("firstName")}>
            <Input {...control("firstName")} autoComplete="cc-given-name" maxLength={50} />
          </Field>
          <Field {...labelled("lastName")}>
            <Input {...control("lastName")} autoComplete="cc-family-name" maxLength={50} />
          </Field>
        </div>
        <Field {...labelled("email")} hint="Your receipt goes here.">
          <Input {...control("email")} type="email" autoComplete="email" maxLength={254} />
        </Field>
      </fieldset>
      <fieldset className="grid gap-5">
        <legend className="printed mb-4 text-ink-soft">Card</legend>
        <TestCardHint script={script} />
        <Field {...labelled("cardNumber")}>
          <CardNumberInput {...control("cardNumber")} onChange={(value) => change("cardNumber", value)} />
        </Field>
        <div className="grid grid-cols-2 gap-5 sm:grid-cols-4">
          <Field {...labelled("expMonth")}>
            <Select {...choice("expMonth")} autoComplete="cc-exp-month">
              <option value="">MM</option>
              {months.map((month) => (
                <option key={month}>{month}</option>
              ))}
            </Select>
          </Field>
          <Field {...labelled("expYear")}>
            <Select {...choice("expYear")} autoComplete="cc-exp-year">
              <option value="">YYYY</option>
              {expiryYears(new Date()).map((year) => (
                <option key={year}>{year}</option>
              ))}
            </Select>
          </Field>
          <Field {...labelled("cvv")}>
            <Input
              {...control("cvv")}
              placeholder={isAmericanExpress(form.cardNumber) ? "4 digits" : "3 digits"}
              inputMode="numeric"
              autoComplete="cc-csc"
              maxLength={4}
            />
          </Field>
          <Field {...labelled("zip")}>
            <Input {...control("zip")} inputMode="numeric" autoComplete="billing postal-code" maxLength={10} />
          </Field>
        </div>
      </fieldset>
      {isRenewing && (
        <Checkbox
          name="consent"
          label={renewalConsent.text}
          checked={hasConsent}
          disabled={isProcessing}
          error={errors.consent}
          onChange={(event) => {
            setHasConsent(event.target.checked);
            setErrors(({ consent: _, ...others }) => others);
          }}
        />
      )}
      <div className="grid gap-3">
        <Button type="submit" variant="tag" size="large" wide disabled={isProcessing || script.state !== "ready"}>
          {isProcessing ? (
            <>
              <Spinner /> Processing…
            </>
          ) : (
            `Pay ${formatAmount(plan.price)}`
          )}
        </Button>
        <ScriptState script={script} />
        <p className="text-fine text-ink-soft">
          {formatAmount(plan.price)}, {billingNotes[plan.tier]}. First purchases can be refunded within 7 days.
        </p>
      </div>
    </form>
  );
}

function emptyForm({ firstName, lastName, email }: CurrentUser): CardForm {
  return {
    firstName: firstName ?? "",
    lastName: lastName ?? "",
    email,
    cardNumber: "",
    expMonth: "",
    expYear: "",
    cvv: "",
    zip: "",
  };
}

/** One sentence for each field that keeps the form from being sent. */
function faultsOf(form: CardForm, element: HTMLFormElement | null, lacksConsent: boolean): Errors {
  const faults: Errors = {};
  for (const field of missingFields(form)) faults[field] = `${cardFieldLabels[field]} is required.`;
  const email = element?.elements.namedItem("email");
  if (!faults.email && email instanceof HTMLInputElement && email.validity.typeMismatch) {
    faults.email = "Enter an e-mail address, such as name@example.com.";
  }
  if (lacksConsent) faults.consent = "Please agree to the renewal to go on.";
  return faults;
}

function sayNotReady(): void {
  toast({
    title: "Payment system not ready",
    description: "Please wait for the payment form to load completely.",
    destructive: true,
  });
}
