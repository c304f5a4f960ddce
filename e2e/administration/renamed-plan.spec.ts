import { href } from "#contract/addresses.ts";
import { draft } from "#test/drafts.ts";
import { become, expect, expectAccessibleInBothSchemes, signInAs, testAlone } from "../academy.ts";
import { publishAll, saveDraft } from "./page.ts";

testAlone(
  "a renamed plan shows what says its old name, and a module that moves changes what all plans open",
  async ({ page, ownAcademy: academy }) => {
    const admin = await academy.visitor().signInAsDemo("admin@academy.test");
    const words = { name: "Baker for Life", buttonLabel: "Get Lifetime Access" };
    expect((await draft(admin, "plans", "vip_lifetime", words)).status).toBe(200);
    expect((await draft(admin, "modules", "module-3", { requiredTier: "premium" })).status).toBe(200);

    await signInAs(page, "admin@academy.test", "/admin/content");
    const old = page.getByRole("region", { name: "1 text still says “Lifetime Access”" });
    await expect(old).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    await old.getByRole("link", { name: "Plan: Baker for Life" }).click();
    await page.getByLabel("Button label").fill("Start baking");
    await saveDraft(page);
    await expect(old).toHaveCount(0);

    const course = page.getByRole("region", { name: "Course" });
    await expect(course).toContainText("Lifetime Access");
    await publishAll(page);
    await page.goBack();
    await expect(course).toContainText("Baker for Life");
    await expect(course).not.toContainText("Lifetime Access");

    // What plans open now is on every page, in the email and on the panels.
    const outdated = /modules 1( to |-|–)3/i;
    const onLandingPage = [
      "Modules 1 and 2: fundamentals",
      "Modules 1 and 2, short enough",
      "Annual Access opens modules 1-4 for 365 days",
    ];
    for (const [path, sentences] of [
      ["/", onLandingPage],
      ["/terms-of-service", ["Monthly Access opens modules 1 and 2 for 30 days"]],
    ] as const) {
      const text = await (await academy.visitor().send("GET", path)).text();
      for (const sentence of sentences) expect(text).toContain(sentence);
      expect(text).not.toMatch(outdated);
    }
    const student = await academy.visitor().signUp();
    const { message } = (await student.buy("basic")).body;
    expect(message).toContain("You have modules 1 and 2");
    const email = await academy.mailTo(student, "is ready");
    expect(email.text).toContain("You have modules 1 and 2");
    expect(email.text + email.html).not.toMatch(outdated);
    await become(page.context(), student);
    for (const path of ["/course-access", href.subscription(), href.dashboard()]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
      if (path === href.subscription()) await expect(page.getByText(/^Modules 1 and 2 until/)).toBeVisible();
      expect(await page.getByRole("main").first().innerText(), path).not.toMatch(outdated);
    }
    await page.getByRole("tab", { name: "Progress" }).click();
    await expect(page.getByText(/^Modules 1 and 2, until/)).toBeVisible();
  },
);
