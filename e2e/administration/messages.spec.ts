import { deleteContact, listContacts, replyToContact } from "#contract/admin/contacts.ts";
import { sendContactMessage } from "#contract/contact.ts";
import { expect, expectAccessible, signInAs, test } from "../academy.ts";
import { watchConsole } from "../console.ts";
import { expectToast, goToArea } from "./page.ts";

test("messages are shown as text, answered, marked and unmarked, and no reply is lost [C04]", async ({
  page,
  academy,
}) => {
  const complaints = watchConsole(page);
  const name = "<img src=x onerror=alert(1)>";
  const sender = await academy.visitor().signUp();
  const message = "=1+1 <script>alert(2)</script>\n\nI paid twice.";
  await sender.call(sendContactMessage, { body: { name, email: sender.email, message } });
  await signInAs(page, "admin@academy.test", "/admin?tab=messages");
  const messages = page.getByRole("list", { name: "Messages" });
  await expect(messages.getByRole("button", { name: "I paid twice" })).toBeVisible();
  // The conversation was fetched before the message was marked as open, but arrives after the refetch.
  const isRead = Promise.withResolvers<void>();
  const isMarked = Promise.withResolvers<void>();
  await page.route(
    /\/api\/admin\/contacts\/(?!count)\w+$/,
    async (route) => {
      const response = await route.fetch();
      isRead.resolve();
      await isMarked.promise;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await page.route("**/api/admin/mark-contact", async (route) => {
    await isRead.promise;
    await route.continue();
  });
  const askedAnew = page.waitForRequest("**/api/admin/contacts/count");
  await messages.getByRole("button", { name: "I paid twice" }).click();
  await askedAnew;
  isMarked.resolve();
  await expect(page.getByRole("heading", { name })).toBeVisible();
  await expect(page.getByText("=1+1 <script>alert(2)</script>").last()).toBeVisible();
  await expect(page.getByRole("button", { name: "Mark as new" })).toBeVisible();
  const reply = page.getByLabel(`Reply to ${name}`);
  await reply.fill("We refunded the second payment.");
  await page.reload();
  await expect(reply).toHaveValue("We refunded the second payment.");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Send reply" }).click();
  await expectToast(page, "Reply sent");
  await expect(page.getByRole("list", { name: "Conversation" }).getByText("Answered")).toBeVisible();
  await expect
    .poll(async () => (await academy.mails(sender.email)).map(({ text }) => text).join())
    .toContain("We refunded the second payment.");

  const another = await academy.visitor().signUp();
  for (const message of ["First of two", "Second of two"]) {
    await another.call(sendContactMessage, { body: { name: "Una Two", email: another.email, message } });
  }
  await goToArea(page, "Messages");
  await page.getByRole("searchbox").fill(another.email);
  const rows = messages.getByRole("listitem");
  await expect(rows).toHaveCount(2);
  await rows.nth(0).getByRole("checkbox").press("Space");
  await rows.nth(1).getByRole("checkbox").press("Space");
  await page.getByRole("button", { name: "Mark as answered" }).press("Enter");
  const marked = page.getByRole("region", { name: "Last change" });
  await expect(marked).toContainText("2 messages marked as answered.");
  await expect(marked.getByRole("button", { name: "Undo" })).toBeFocused();
  await expect(rows.getByText("Answered")).toHaveCount(2);
  await expectAccessible(page);
  // The list was read before the undo, but arrives after it.
  const isListed = Promise.withResolvers<void>();
  const isUndone = Promise.withResolvers<void>();
  await page.route(
    /\/api\/admin\/contacts\?/,
    async (route) => {
      const response = await route.fetch();
      isListed.resolve();
      await isUndone.promise;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await page.reload();
  await isListed.promise;
  await marked.getByRole("button", { name: "Undo" }).press("Enter");
  await expectToast(page, "Undone for 2 messages");
  isUndone.resolve();
  await expect(marked).toHaveCount(0);
  await expect(rows.getByText("New", { exact: true })).toHaveCount(2);

  await rows.nth(0).getByRole("button").click();
  await page.getByRole("button", { name: "Mark as answered" }).press("Enter");
  await expect(marked.getByRole("button", { name: "Undo" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expectToast(page, "Undone for 1 message");
  await expect(page.getByRole("button", { name: "Mark as new" })).toBeVisible();
  complaints.expectEmpty();

  // A colleague answers or deletes the message that is being answered.
  await another.call(sendContactMessage, { body: { name: "Ada Both", email: another.email, message: "Which plan?" } });
  const colleague = await academy.visitor().signInAsDemo("admin@academy.test");
  const [contact] = (await colleague.call(listContacts, { query: { search: another.email } })).body;
  const contactId = contact?.id ?? "";
  await page.goto(`/admin?tab=messages&message=${contactId}`);
  const hers = page.getByLabel("Reply to Ada Both");
  const send = page.getByRole("button", { name: "Send reply" });
  const conversation = page.getByRole("list", { name: "Conversation" });
  const meanwhile = page.getByRole("region", { name: "Answered meanwhile" });
  await hers.fill("The annual one.");
  await colleague.call(replyToContact, { body: { contactId, text: "The monthly one." } });
  await send.click();
  await expectToast(page, "Failed to send the reply");
  await expect(conversation.getByText("The monthly one.")).toBeVisible();
  await expect(hers).toHaveValue("The annual one.");
  await meanwhile.getByRole("button", { name: "Keep mine" }).press("Enter");
  await expect(send).toBeFocused();
  await send.press("Enter");
  await expect(conversation.getByText("The annual one.")).toBeVisible();

  await hers.fill("Or the weekly one.");
  await colleague.call(deleteContact, { body: { contactId, reason: "spam" } });
  await page.reload();
  const left = page.getByRole("region", { name: "Not saved" });
  await expect(left).toContainText("Or the weekly one.");
  await left.getByRole("button", { name: "Discard" }).press("Enter");
  await expect(left).toHaveCount(0);
  await expect(page.getByText("We couldn't find this message.")).toBeVisible();
});
