import { getCurrentUser } from "#contract/identity/identity.ts";
import { expect, signInAs, test } from "../academy.ts";

test("what one of the team was typing waits for them, and is shown to nobody else who signs in", async ({
  page,
  academy,
}) => {
  const student = await academy.visitor().signUp();
  const address = `/admin/users/${(await student.call(getCurrentUser)).body.id}`;
  const note = page.getByLabel("New note");
  await signInAs(page, "admin@academy.test", address);
  await note.fill("Asked for a call.");
  // The session ends, and nobody signs out.
  await page.context().clearCookies();
  await signInAs(page, "helpdesk@academy.test", address);
  await expect(note).toHaveValue("");
  await note.fill("Wants an invoice.");
  await page.context().clearCookies();
  await signInAs(page, "admin@academy.test", address);
  await expect(note).toHaveValue("Asked for a call.");
});
