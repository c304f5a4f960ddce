import { type FormEvent, type KeyboardEvent, useState } from "react";
import { faultsIn } from "#app/api/api.ts";
import { type Faults, useForm } from "#app/api/use-form.ts";
import type { PaymentConfig } from "#contract/purchases/purchases.ts";
import { toast } from "#ui/toast/toast.ts";
import { type CardField, type CardForm, cardFieldLabels, cardFormOf, missingFields } from "./card-form.ts";
import { isCardScriptReady } from "./card-script.ts";
import { useCardScript } from "./use-card-script.ts";

interface CardFormOptions {
  /** The form's fields in display order. All are required. */
  fields: readonly CardField[];
  /** Initial values. */
  initial: Partial<CardForm>;
  isProcessing: boolean;
  /** Whether the checkbox `consent` must be ticked. */
  wantsConsent?: boolean;
  onSubmit: (config: PaymentConfig, form: CardForm) => Promise<void>;
}

export type CardFormState = ReturnType<typeof useCardForm>;

/**
 * A form with card fields and the gateway's script. Typed values stay in the DOM and disappear with it. React state
 * only holds the number, which is grouped during typing.
 */
export function useCardForm({ fields, initial, isProcessing, wantsConsent = false, onSubmit }: CardFormOptions) {
  const script = useCardScript();
  const [cardNumber, setCardNumber] = useState("");
  const { frame, faults, show } = useForm({
    check(typed, form) {
      const missing = missingFields(typed, fields);
      if (missing.length > 0) sayMissing();
      return faultsOf(missing, form, wantsConsent && !typed.consent);
    },
    async send(typed) {
      if (script.state !== "ready") return;
      try {
        await onSubmit(script.config, cardFormOf(typed));
      } catch (error) {
        const { customerEmail, ...found } = faultsIn(error);
        show({ ...found, ...(customerEmail && { email: customerEmail }) });
      }
    },
  });

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isProcessing) return;
    if (script.state === "ready" && isCardScriptReady()) await frame.onSubmit(event);
    else sayNotReady();
  }

  // A disabled button also blocks Enter, so without this nothing would explain why.
  function explainEnter(event: KeyboardEvent): void {
    if (event.key === "Enter" && event.target instanceof HTMLInputElement && script.state !== "ready") sayNotReady();
  }

  return {
    script,
    /** Props of the form. */
    frame: { ...frame, onSubmit: submit, onKeyDown: explainEnter },
    /** Props of a text field. */
    control: (name: CardField) => ({ name, defaultValue: initial[name], required: true, readOnly: isProcessing }),
    /** Props of a select. */
    choice: (name: CardField) => ({ name, required: true, disabled: isProcessing }),
    number: {
      name: "cardNumber",
      value: cardNumber,
      onChange: setCardNumber,
      required: true,
      readOnly: isProcessing,
    },
    /** Props of the surrounding Field. */
    labelled: (name: CardField) => ({ label: cardFieldLabels[name], error: faults[name] }),
    /** Props of the renewal's checkbox. */
    consent: { name: "consent", disabled: isProcessing, error: faults.consent },
  };
}

/** A sentence for each invalid field. */
function faultsOf(missing: readonly CardField[], form: HTMLFormElement, lacksConsent: boolean): Faults {
  const faults: Faults = {};
  for (const field of missing) faults[field] = `${cardFieldLabels[field]} is required.`;
  for (const { name, value, maxLength } of form.querySelectorAll<HTMLInputElement>("input[maxlength]")) {
    // Prefilled values, such as the account's name, may be longer than maxLength.
    if (value.length > maxLength) faults[name] = `Use ${maxLength} characters or fewer.`;
  }
  const email = form.elements.namedItem("email");
  // The server knows the whole rule.
  if (!faults.email && email instanceof HTMLInputElement && !/\S@\S/.test(email.value)) {
    faults.email = "Enter an email address, such as name@example.com.";
  }
  if (lacksConsent) faults.consent = "Agree to the renewal to continue.";
  return faults;
}

function sayMissing(): void {
  toast({ title: "Missing Information", description: "Please fill in all required fields.", destructive: true });
}

function sayNotReady(): void {
  toast({
    title: "Payment system not ready",
    description: "Please wait for the payment form to load completely.",
    destructive: true,
  });
}
