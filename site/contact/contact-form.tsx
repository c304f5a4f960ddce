import { type FormEvent, useEffect, useRef, useState } from "react";
import { lead } from "#app/analytics/analytics.ts";
import { messageOf } from "#app/api/api.ts";
import { contactForm } from "#content/contact.ts";
import { href } from "#contract/addresses.ts";
import { useHydrated } from "#ui/browser-state.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field, Input, Textarea } from "#ui/controls/field.tsx";
import { Spinner } from "#ui/spinner.tsx";
import { toast } from "#ui/toast/toast.ts";
import type { ContactFaults } from "./sending.ts";

/** With the schema library, which is fetched when somebody begins to write. */
const loadSending = () => import("./sending.ts");

const fields = ["name", "email", "message"] as const;
type FieldName = (typeof fields)[number];

type State = { at: "idle" } | { at: "sending" } | { at: "sent" } | { at: "failed"; reason: string };

/** Writes to the team. What was typed stays in its fields until the server has taken it. */
export function ContactForm() {
  const form = useRef<HTMLFormElement>(null);
  const isHydrated = useHydrated();
  const shownAt = useRef(0);
  const [faults, setFaults] = useState<ContactFaults>({});
  const [state, setState] = useState<State>({ at: "idle" });
  const isSending = state.at === "sending";
  useEffect(() => {
    shownAt.current = performance.now();
  }, []);

  function change(field: FieldName): void {
    setFaults(({ [field]: _, ...others }) => others);
    setState({ at: "idle" });
  }

  function show(found: ContactFaults): void {
    setFaults(found);
    const first = fields.find((field) => found[field]);
    if (first) (form.current?.elements.namedItem(first) as HTMLElement | null)?.focus();
  }

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isSending) return;
    const typed = Object.fromEntries(new FormData(event.currentTarget)) as Record<FieldName | "website", string>;
    const message = { ...typed, email: typed.email.trim() };
    setState({ at: "sending" });
    try {
      const { faultsOf, faultsIn, send } = await loadSending();
      const found = faultsOf(message);
      if (Object.keys(found).length > 0) {
        setState({ at: "idle" });
        show(found);
        return;
      }
      await send(message, shownAt.current).catch((error: unknown) => {
        show(faultsIn(error));
        throw error;
      });
      form.current?.reset();
      setState({ at: "sent" });
      lead("contact");
      toast({ title: "Message sent", description: contactForm.success });
    } catch (error) {
      const reason = messageOf(error, contactForm.failure);
      setState({ at: "failed", reason });
      toast({ title: "Error", description: reason, destructive: true });
    }
  }

  const control = (name: FieldName) => ({
    name,
    required: true,
    readOnly: isSending,
    onChange: () => change(name),
  });

  return (
    // What no script can take, the server answers with a page.
    <form
      ref={form}
      method="post"
      action={href.contact()}
      noValidate={isHydrated}
      onSubmit={submit}
      onFocus={loadSendingEarly}
      className="grid gap-5 *:col-span-full md:max-lg:grid-cols-2"
    >
      <Field label="Name" error={faults.name} className="md:max-lg:col-span-1!">
        <Input {...control("name")} autoComplete="name" maxLength={200} />
      </Field>
      <Field label="Email" error={faults.email} className="md:max-lg:col-span-1!">
        <Input {...control("email")} type="email" autoComplete="email" maxLength={254} />
      </Field>
      <Field label="Message" error={faults.message}>
        <Textarea {...control("message")} rows={4} maxLength={5000} />
      </Field>
      {/* People do not see this field; what fills it in is no person. */}
      <div aria-hidden="true" className="sr-only">
        <label>
          Website
          <input name="website" tabIndex={-1} autoComplete="off" />
        </label>
      </div>
      <Button type="submit" size="large" wide className="on-tag">
        {isSending ? (
          <>
            <Spinner /> Sending…
          </>
        ) : (
          "Send Message"
        )}
      </Button>
      {state.at === "sent" && (
        <p className="rounded-sm border-2 border-success bg-success-soft px-4 py-3 font-semibold text-success">
          {contactForm.success}
        </p>
      )}
      {state.at === "failed" && (
        <p className="rounded-sm border-2 border-danger bg-danger-soft px-4 py-3 font-semibold text-danger">
          {state.reason}
          {!navigator.onLine && " You are offline; what you wrote stays here."}
        </p>
      )}
    </form>
  );
}

/** A failure shows when the message is sent, where it is tried again. */
function loadSendingEarly(): void {
  loadSending().catch(() => undefined);
}
