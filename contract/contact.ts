import { z } from "zod";
import { EmailAddress } from "./email-address.ts";
import { endpoint } from "./endpoint.ts";

/** Milliseconds. Faster messages are suspected. The page itself waits this long before it sends an autofilled form. */
export const minWritingMs = 2000;

export const ContactMessage = z.strictObject({
  name: z.string().trim().min(1, "Required").max(200, "Use 200 characters or fewer"),
  email: EmailAddress,
  message: z.string().trim().min(1, "Required").max(5000, "Use 5000 characters or fewer"),
  website: z.string().max(500).optional().describe("Left empty by people: the field is hidden from them"),
  elapsed: z.number().min(0).optional().describe("Milliseconds from showing the form to sending it"),
});
export type ContactMessage = z.infer<typeof ContactMessage>;

export const sendContactMessage = endpoint({
  method: "POST",
  path: "/api/contact",
  summary: "Sends a message to the team; open to everyone",
  body: ContactMessage,
  reply: z.object({ success: z.literal(true), message: z.string() }),
});
