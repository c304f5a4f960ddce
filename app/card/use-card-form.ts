import { type FormEvent, type KeyboardEvent, useState } from "react";
import { faultsIn } from "#app/api/api.ts";
import { type Faults, useForm } from "#app/api/use-form.ts";
import type { PaymentConfig } from "#contract/purchases/purchases.ts";
import { toast } from "#ui/toast/toast.ts";
import { type CardField, type CardForm, cardFieldLabels, cardFormOf, missingFields } from "./card-form.ts";
import { isCardScriptReady } from "./card-script.ts";
import { useCardScript } from "./use-card-script.ts";

interface CardFormOptions {
  /** What the form asks for, in the order in which it stands; all of it is required. */
  fields: readonly CardField[];
  /** What is known already. */
  initial: Partial<CardForm>;
  isProcessing: boolean;
  /** Whether the box named `consent` must be ticked. */
  wantsConsent?: boolean;
  onSubmit: (config: PaymentConfig, form: CardForm) => Promise<void>;
}

export type CardFormState = ReturnType<typeof useCardForm>;

/**
 * A form with a card in it, and the gateway's script. What is typed stays in its fields and is gone with them: no state
 * holds it but the number, which is grouped while it is typed.
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

  // A disabled button keeps Enter from submitting, and then nothing would say why.
  function explainEnter(event: KeyboardEvent): void {
    if (event.key === "Enter" && event.target instanceof HTMLInputElement && script.state !== "ready") sayNotReady();
  }

  return {
    script,
    /** For the form itself. */
    frame: { ...frame, onSubmit: submit, onKeyDown: explainEnter },
    /** For a text field. */
    control: (name: CardField) => ({ name, defaultValue: initial[name], required: true, readOnly: isProcessing }),
    /** For a list to choose from. */
    choice: (name: CardField) => ({ name, required: true, disabled: isProcessing }),
    number: {
      name: "cardNumber",
      value: cardNumber,
      onChange: setCardNumber,
      required: true,
      readOnly: isProcessing,
    },
    /** For the Field around it. */
    labelled: (name: CardField) => ({ label: cardFieldLabels[name], error: faults[name] }),
    /** For the box that agrees to the renewal. */
    consent: { name: "consent", disabled: isProcessing, error: faults.consent },
  };
}

/** One sentence for each field that keeps the form from being sent. */
function faultsOf(missing: readonly CardField[], form: HTMLFormElement, lacksConsent: boolean): Faults {
  const faults: Faults = {};
  for (const field of missing) faults[field] = `${cardFieldLabels[field]} is required.`;
  for (const { name, value, maxLength } of form.querySelectorAll<HTMLInputElement>("input[maxlength]")) {
    // What the form is filled with, such as the account's name, may be longer than what can be typed.
    if (value.length > maxLength) faults[name] = `At most ${maxLength} characters.`;
  }
  const email = form.elements.namedItem("email");
  if (!faults.email && email instanceof HTMLInputElement && email.validity.typeMismatch) {
    faults.email = "Enter an email address, such as name@example.com.";
  }
  if (lacksConsent) faults.consent = "Please agree to the renewal to go on.";
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
