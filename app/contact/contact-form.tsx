import { type FormEvent, useEffect, useRef, useState } from "react";
import { contactForm } from "#content/contact.ts";
import { messageOf } from "../api.ts";
import { Button } from "../ui/button.tsx";
import { Field, Input, Textarea } from "../ui/field.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { toast } from "../ui/toast.tsx";
import type { ContactFaults } from "./sending.ts";

/** With the schema library, which is fetched when somebody begins to write. */
const loadSending = () => import("./sending.ts");

const fields = ["name", "email", "message"] as const;
type FieldName = (typeof fields)[number];

const empty: Record<FieldName, string> = { name: "", email: "", message: "" };

/** Writes to the team. What was typed stays until the server has taken it. */
export function ContactForm() {
  const form = useRef<HTMLFormElement>(null);
  const shownAt = useRef(0);
  const [values, setValues] = useState(empty);
  const [faults, setFaults] = useState<ContactFaults>({});
  const [state, setState] = useState<"idle" | "sending" | "sent">("idle");
  const isSending = state === "sending";
  useEffect(() => {
    shownAt.current = performance.now();
  }, []);

  function change(field: FieldName, value: string): void {
    setValues((before) => ({ ...before, [field]: value }));
    setFaults(({ [field]: _, ...others }) => others);
    setState("idle");
  }

  function show(found: ContactFaults): void {
    setFaults(found);
    const first = fields.find((field) => found[field]);
    if (first) (form.current?.elements.namedItem(first) as HTMLElement | null)?.focus();
  }

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isSending) return;
    const website = String(new FormData(event.currentTarget).get("website") ?? "");
    setState("sending");
    try {
      const { faultsOf, faultsIn, send } = await loadSending();
      const message = {
        name: values.name,
        email: values.email.trim(),
        message: values.message,
        website,
        elapsed: Math.round(performance.now() - shownAt.current),
      };
      const found = faultsOf(message);
      if (Object.keys(found).length > 0) {
        setState("idle");
        show(found);
        return;
      }
      await send(message).catch((error: unknown) => {
        show(faultsIn(error));
        throw error;
      });
      setValues(empty);
      setState("sent");
      toast({ title: "Message sent", description: contactForm.success });
    } catch (error) {
      setState("idle");
      toast({ title: "Error", description: messageOf(error, contactForm.failure), destructive: true });
    }
  }

  const control = (name: FieldName) => ({
    name,
    value: values[name],
    required: true,
    readOnly: isSending,
    onChange: (event: { target: { value: string } }) => change(name, event.target.value),
  });

  return (
    // "post", as a message sent before any script has arrived must not end up in the address.
    <form ref={form} method="post" noValidate onSubmit={submit} onFocus={loadSendingEarly} className="grid gap-5">
      <Field label="Name" error={faults.name}>
        <Input {...control("name")} autoComplete="name" maxLength={200} />
      </Field>
      <Field label="Email" error={faults.email}>
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
      {state === "sent" && (
        <p className="rounded-sm border-2 border-success bg-success-soft px-4 py-3 font-semibold text-success">
          {contactForm.success}
        </p>
      )}
    </form>
  );
}

/** A failure shows when the message is sent, where it is tried again. */
function loadSendingEarly(): void {
  loadSending().catch(() => undefined);
}
