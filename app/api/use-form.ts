import { type ChangeEvent, type FormEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useHydrated } from "#ui/browser-state.ts";
import { faultsIn, isOutdated } from "./api.ts";

/** A sentence for each invalid field. Parts of a field have dotted names. */
export type Faults = Partial<Record<string, string>>;
/** The fields' values by name. */
export type Typed = Partial<Record<string, string>>;

interface FormOptions {
  /** Validates before sending. The server validates again, and its faults are shown in the same way. */
  check?: (typed: Typed, form: HTMLFormElement) => Faults | Promise<Faults>;
  /** Rejects when the server refuses the input. */
  send: (typed: Typed, form: HTMLFormElement) => Promise<unknown>;
  /** Called after a refusal. `isShown`: a field already shows the reason. */
  onFailed?: (error: unknown, isShown: boolean) => void;
  /** Called with the first fault of a check that no field shows. */
  onHidden?: ((fault: string) => void) | undefined;
}

/** A form that is validated and sent once per submission. The first invalid field gets the focus. */
export function useForm({ check, send, onFailed, onHidden }: FormOptions) {
  const ref = useRef<HTMLFormElement>(null);
  const isBusy = useRef(false);
  const [faults, setFaults] = useState<Faults>({});
  const [isSending, setIsSending] = useState(false);
  /** Whether the server refused the last submission because somebody else had saved changes. */
  const [isConflict, setIsConflict] = useState(false);

  /** Shows the faults. True if a field of the form shows one. */
  function show(found: Faults): boolean {
    // Fields are disabled during sending, and a disabled field cannot get the focus.
    flushSync(() => {
      setFaults(found);
      setIsSending(false);
    });
    const first = [...(ref.current?.elements ?? [])].find((field) => faultAt(found, field.getAttribute("name") ?? ""));
    if (first instanceof HTMLElement) first.focus();
    return first !== undefined;
  }

  async function onSubmit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    // React also bubbles events from a dialog's form to the form that opened the dialog.
    event.stopPropagation();
    // A ref, because state changes only with the next render, and a double click comes sooner.
    if (isBusy.current) return;
    isBusy.current = true;
    const form = event.currentTarget;
    const focused = form.contains(document.activeElement) ? document.activeElement : null;
    const typed = Object.fromEntries(new FormData(form)) as Typed;
    setIsSending(true);
    setIsConflict(false);
    try {
      const found = { ...(await check?.(typed, form)), ...halfTyped(form) };
      const [first] = Object.values(found);
      if (first === undefined) await send(typed, form);
      else if (!show(found)) onHidden?.(first);
    } catch (error) {
      setIsConflict(isOutdated(error));
      const isShown = show(faultsIn(error));
      onFailed?.(error, isShown);
    } finally {
      isBusy.current = false;
      flushSync(() => setIsSending(false));
      // Restores the focus that a field lost by being disabled.
      if (document.activeElement === document.body && focused instanceof HTMLElement) focused.focus();
    }
  }

  function forget(name: string): void {
    setFaults((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !isPartOf(field, name))));
  }

  const onChange = ({ target }: ChangeEvent<HTMLFormElement>) => forget(target.name);
  // Until scripts run, the browser itself validates required fields.
  const frame = { ref, noValidate: useHydrated(), onSubmit, onChange };
  return { frame, faults, isSending, isConflict, show, forget };
}

const halfTypedWords: Readonly<Record<string, string>> = {
  "datetime-local": "Enter a time too",
  date: "Enter a complete date",
  number: "Enter a number",
};

/** A sentence for each field whose value the browser cannot tell yet. In the form's data, it is empty. */
function halfTyped(form: HTMLFormElement): Faults {
  const fields = [...form.querySelectorAll("input")].filter(({ validity }) => validity.badInput);
  return Object.fromEntries(fields.map(({ name, type }) => [name, halfTypedWords[type] ?? "Check this value"]));
}

/** The fault of a field or of one of its parts. */
export function faultAt(faults: Faults, name: string): string | undefined {
  return Object.entries(faults).find(([field]) => isPartOf(field, name))?.[1];
}

function isPartOf(field: string, name: string): boolean {
  return name !== "" && (field === name || field.startsWith(`${name}.`));
}
