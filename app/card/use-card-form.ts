import { type FormEvent, type KeyboardEvent, useRef, useState } from "react";
import type { PaymentConfig } from "#contract/purchases/purchases.ts";
import { toast } from "#ui/toast/toast.ts";
import { type CardField, type CardForm, cardFieldLabels, missingFields } from "./card-form.ts";
import { isCardScriptReady } from "./card-script.ts";
import { useCardScript } from "./use-card-script.ts";

type Errors = Partial<Record<CardField | "consent", string>>;

interface CardFormOptions {
  /** What the form asks for, in the order in which it stands; all of it is required. */
  fields: readonly CardField[];
  /** What is known already. */
  initial: Partial<CardForm>;
  isProcessing: boolean;
  /** Whether the box named `consent` must be ticked. */
  wantsConsent?: boolean;
  onSubmit: (config: PaymentConfig, form: CardForm) => void;
}

export type CardFormState = ReturnType<typeof useCardForm>;

/**
 * A form with a card in it: what is typed, what is wrong with it, and the gateway's script. What is typed stays in the
 * component that uses this and is gone with it.
 */
export function useCardForm({ fields, initial, isProcessing, wantsConsent = false, onSubmit }: CardFormOptions) {
  const script = useCardScript();
  const element = useRef<HTMLFormElement>(null);
  const [form, setForm] = useState<CardForm>(() => ({ ...emptyForm, ...initial }));
  const [hasConsent, setHasConsent] = useState(false);
  const [errors, setErrors] = useState<Errors>({});

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
    const missing = missingFields(form, fields);
    const faults = faultsOf(missing, element.current, wantsConsent && !hasConsent);
    setErrors(faults);
    const first = [...fields, "consent" as const].find((field) => faults[field]);
    if (!first) {
      onSubmit(script.config, form);
      return;
    }
    (element.current?.elements.namedItem(first) as HTMLElement | null)?.focus();
    if (missing.length > 0) {
      toast({ title: "Missing Information", description: "Please fill in all required fields.", destructive: true });
    }
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
  return {
    form,
    script,
    change,
    /** For the form itself. */
    frame: { ref: element, noValidate: true, onSubmit: submit, onKeyDown: explainEnter },
    /** For a text field. */
    control,
    /** For a list to choose from. */
    choice: (name: CardField) => {
      const { readOnly, ...others } = control(name);
      return { ...others, disabled: readOnly };
    },
    /** For the Field around it. */
    labelled: (name: CardField) => ({ label: cardFieldLabels[name], error: errors[name] }),
    /** For the box that agrees to the renewal. */
    consent: {
      name: "consent",
      checked: hasConsent,
      disabled: isProcessing,
      error: errors.consent,
      onChange: (event: { target: { checked: boolean } }) => {
        setHasConsent(event.target.checked);
        setErrors(({ consent: _, ...others }) => others);
      },
    },
  };
}

const emptyForm: CardForm = {
  firstName: "",
  lastName: "",
  email: "",
  cardNumber: "",
  expMonth: "",
  expYear: "",
  cvv: "",
  zip: "",
};

/** One sentence for each field that keeps the form from being sent. */
function faultsOf(missing: readonly CardField[], element: HTMLFormElement | null, lacksConsent: boolean): Errors {
  const faults: Errors = {};
  for (const field of missing) faults[field] = `${cardFieldLabels[field]} is required.`;
  const email = element?.elements.namedItem("email");
  if (!faults.email && email instanceof HTMLInputElement && email.validity.typeMismatch) {
    faults.email = "Enter an email address, such as name@example.com.";
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
