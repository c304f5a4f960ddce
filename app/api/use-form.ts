import { type ChangeEvent, type FormEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useHydrated } from "#ui/browser-state.ts";
import { faultsIn } from "./api.ts";

/** A sentence for each field with something wrong; a part of a field is named behind a dot. */
export type Faults = Partial<Record<string, string>>;
/** What the fields hold, by their names. */
export type Typed = Partial<Record<string, string>>;

interface FormOptions {
  /** What keeps it from being sent. The server looks at it again, and what it finds is shown in the same way. */
  check?: (typed: Typed, form: HTMLFormElement) => Faults | Promise<Faults>;
  /** Rejects when it was not taken. */
  send: (typed: Typed, form: HTMLFormElement) => Promise<unknown>;
  /** It was not taken. `isShown`: why stands at a field. */
  onFailed?: (error: unknown, isShown: boolean) => void;
}

/** One form: it is checked and sent once for a press; the first field with something wrong gets the focus. */
export function useForm({ check, send, onFailed }: FormOptions) {
  const ref = useRef<HTMLFormElement>(null);
  const isBusy = useRef(false);
  const [faults, setFaults] = useState<Faults>({});
  const [isSending, setIsSending] = useState(false);

  /** Shows what is wrong; whether it stands at a field. */
  function show(found: Faults): boolean {
    // What is being sent cannot be typed in, nor get the focus.
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
    // A dialog's form is, for React, also inside of what opened it.
    event.stopPropagation();
    // State is seen one rendering later; a double press comes sooner.
    if (isBusy.current) return;
    isBusy.current = true;
    const form = event.currentTarget;
    const focused = form.contains(document.activeElement) ? document.activeElement : null;
    const typed = Object.fromEntries(new FormData(form)) as Typed;
    setIsSending(true);
    try {
      const found = (await check?.(typed, form)) ?? {};
      if (Object.keys(found).length > 0) show(found);
      else await send(typed, form);
    } catch (error) {
      const isShown = show(faultsIn(error));
      onFailed?.(error, isShown);
    } finally {
      isBusy.current = false;
      flushSync(() => setIsSending(false));
      // A field that was disabled meanwhile has lost it.
      if (document.activeElement === document.body && focused instanceof HTMLElement) focused.focus();
    }
  }

  function forget(name: string): void {
    setFaults((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !isPartOf(field, name))));
  }

  const onChange = ({ target }: ChangeEvent<HTMLFormElement>) => forget(target.name);
  // Before any script the browser itself says what is missing.
  const frame = { ref, noValidate: useHydrated(), onSubmit, onChange };
  return { frame, faults, isSending, show, forget };
}

/** What is wrong with a field or a part of it. */
export function faultAt(faults: Faults, name: string): string | undefined {
  return Object.entries(faults).find(([field]) => isPartOf(field, name))?.[1];
}

function isPartOf(field: string, name: string): boolean {
  return name !== "" && (field === name || field.startsWith(`${name}.`));
}
