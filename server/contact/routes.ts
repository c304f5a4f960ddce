import type { FastifyInstance } from "fastify";
import { ContactMessage, sendContactMessage } from "#contract/contact.ts";
import { Refusal, statusOf } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { clientOf } from "#server/http/client.ts";
import { sendPlainPage } from "#server/http/forms.ts";
import { serve } from "#server/http/serve.ts";
import { receiveMessage } from "./contact.ts";

const thanks = "Your message has been sent successfully. We'll get back to you soon!";

export function contactRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, sendContactMessage, async ({ body, request }) => {
    await receiveMessage(ctx, body, clientOf(request));
    return { success: true as const, message: thanks };
  });
}

/** For browsers that send the form without the page's scripts. */
export function contactFormRoute(scope: FastifyInstance, ctx: Context, stylesheet: string): void {
  const back = { href: "/contact", text: "Back to the contact page" };
  scope.post("/contact", { schema: { hide: true } }, async (request, reply) => {
    const { data: form } = ContactMessage.safeParse(request.body);
    const failed = (status: number, message: string) =>
      sendPlainPage(ctx, reply, status, { title: "The message was not sent", message, link: back }, stylesheet);
    if (!form) return failed(400, "Go back and fill in your name, your email address and a message.");
    try {
      await receiveMessage(ctx, form, clientOf(request));
    } catch (error) {
      if (error instanceof Refusal) return failed(statusOf[error.code], error.message);
      throw error;
    }
    return sendPlainPage(ctx, reply, 200, { title: "Message sent", message: thanks, link: back }, stylesheet);
  });
}
