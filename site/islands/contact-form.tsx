import { ContactForm as Form } from "#site/contact/contact-form.tsx";
import { Island } from "./island.tsx";

export function ContactForm() {
  return (
    <Island>
      <Form />
    </Island>
  );
}
