import { href } from "#contract/addresses.ts";
import { draftModule, getContent, publishContent } from "#contract/admin/content.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { become, expect, testAlone } from "../academy.ts";

testAlone(
  "a module that moves to another tier changes every page, email and panel that says what plans open",
  async ({ page, ownAcademy: academy }) => {
    const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
    const { modules } = (await administrator.call(getContent)).body;
    const module = modules.find(({ id }) => id === "module-3")?.published;
    const body = { ...module, requiredTier: "premium" };
    expect((await administrator.call(draftModule, { params: { id: "module-3" }, body })).status).toBe(200);
    expect((await administrator.call(publishContent, { body: {} })).status).toBe(200);

    const outdated = /modules 1( to |-|–)3/i;
    for (const [path, sentences] of [
      [
        "/",
        [
          "Modules 1 and 2: fundamentals",
          "Modules 1 and 2, short enough",
          "Annual Access opens modules 1-4 for 365 days",
        ],
      ],
      ["/terms-of-service", ["Monthly Access opens modules 1 and 2 for 30 days"]],
    ] as const) {
      await expect.poll(async () => (await page.goto(path))?.text()).toContain(sentences[0]);
      const text = await page.content();
      for (const sentence of sentences) expect(text).toContain(sentence);
      expect(text).not.toMatch(outdated);
    }

    const student = await academy.visitor().signUp();
    const { message } = (await student.call(acceptPayment, { body: await student.paymentFor("basic") })).body;
    expect(message).toContain("You have modules 1 and 2");
    const email = await academy.mailTo(student, "is ready");
    expect(email.text).toContain("You have modules 1 and 2");
    expect(email.text + email.html).not.toMatch(outdated);

    await become(page.context(), student);
    await page.goto(href.subscription());
    await expect(page.getByText(/^Modules 1 and 2 until/)).toBeVisible();
    await page.goto(href.dashboard());
    await page.getByRole("tab", { name: "Progress" }).click();
    await expect(page.getByText(/^Modules 1 and 2, until/)).toBeVisible();
    for (const path of [href.dashboard(), href.subscription(), "/course-access"]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
      expect(await page.getByRole("main").first().innerText(), path).not.toMatch(outdated);
    }
  },
);
