import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { lead } from "#app/analytics/analytics.ts";
import { messageOf as wordsOf } from "#app/api/api.ts";
import { type Typed, useForm } from "#app/api/use-form.ts";
import { contactForm } from "#content/contact.ts";
import { href } from "#contract/addresses.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field, Input, Textarea } from "#ui/controls/field.tsx";
import { Spinner } from "#ui/spinner.tsx";
import { toast } from "#ui/toast/toast.ts";

/** Includes the schema library, so it is loaded when the user begins to write. */
const loadSending = () => import("./sending.ts");

/** The contact form. Typed text stays in its fields until the server has accepted the message. */
export function ContactForm() {
  const shownAt = useRef(0);
  const [outcome, setOutcome] = useState<"sent" | { failure: string } | null>(null);
  useEffect(() => {
    shownAt.current = performance.now();
  }, []);
  const { frame, faults, isSending } = useForm({
    async check(typed) {
      setOutcome(null);
      return (await loadSending()).faultsOf(messageOf(typed));
    },
    async send(typed, form) {
      await (await loadSending()).send(messageOf(typed), shownAt.current);
      form.reset();
      setOutcome("sent");
      lead("contact");
      toast({ title: "Message sent", description: contactForm.success });
    },
    onFailed(error) {
      const failure = wordsOf(error, contactForm.failure);
      setOutcome({ failure });
      toast({ title: "Error", description: failure, destructive: true });
    },
  });
  useTypedBefore(frame.ref);
  const control = (name: string) => ({ name, required: true, readOnly: isSending });

  return (
    // Without scripts, the browser posts the form and the server replies with a page.
    <form
      {...frame}
      method="post"
      action={href.contact()}
      onInput={() => setOutcome(null)}
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
      {/* A honeypot. People do not see it, but password managers can fill it: it only marks the message. */}
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
      {outcome === "sent" && (
        <p className="rounded-sm border-2 border-success bg-success-soft px-4 py-3 font-semibold text-success">
          {contactForm.success}
        </p>
      )}
      {outcome && outcome !== "sent" && (
        <p className="rounded-sm border-2 border-danger bg-danger-soft px-4 py-3 font-semibold text-danger">
          {outcome.failure}
          {!navigator.onLine && " You're offline. We've kept your message here."}
        </p>
      )}
    </form>
  );
}

/**
 * Moves what was typed before hydration, and the focus, into the form that React makes anew when texts have changed, as
 * on a translated page.
 */
function useTypedBefore(form: RefObject<HTMLFormElement | null>): void {
  const [before] = useState(() =>
    import.meta.env.SSR
      ? null
      : {
          fields: fieldsOf(document.querySelector(`form[action="${href.contact()}"]`)),
          focused: document.activeElement,
        },
  );
  useLayoutEffect(() => {
    if (!before?.fields[0] || before.fields[0].isConnected) return;
    for (const [at, field] of fieldsOf(form.current).entries()) {
      const old = before.fields[at];
      if (!old) continue;
      field.value = old.value;
      if (old !== before.focused) continue;
      field.focus();
      // Buttons and email fields have no selection.
      if (typeof old.selectionStart === "number") field.setSelectionRange(old.selectionStart, old.selectionEnd);
    }
  }, [before, form]);
}

function fieldsOf(form: HTMLFormElement | null) {
  return [...(form?.querySelectorAll<HTMLInputElement>("input, textarea, button") ?? [])];
}

function messageOf({ name = "", email = "", message = "", website = "" }: Typed) {
  return { name, email, message, website };
}

/** Ignores failures here. Sending loads the module again, and shows the error. */
function loadSendingEarly(): void {
  loadSending().catch(() => undefined);
}
