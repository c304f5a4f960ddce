import { ContactForm as Form } from "../contact/contact-form.tsx";
import { Island } from "./island.tsx";

export function ContactForm() {
  return (
    <Island>
      <Form />
    </Island>
  );
}
