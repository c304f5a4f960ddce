import { askQuestion, writeAnswer } from "#contract/questions.ts";
import { expect, expectAccessible, expectAccessibleInBothSchemes, signInAs, testAlone } from "../academy.ts";
import { watchConsole } from "../console.ts";
import { expectToast } from "./page.ts";

testAlone("a question is answered and hidden in the queue, and coaches have it too", async ({ page, ownAcademy }) => {
  const complaints = watchConsole(page);
  const student = await ownAcademy.buyer("basic");
  const ids: string[] = [];
  for (const title of ["How warm is the oven?", "Which flour is meant?"]) {
    const asked = { title, text: "The lesson says **hot**." };
    const { body } = await student.call(askQuestion, { params: { lessonId: "lesson-1-1" }, body: asked });
    ids.push(body.question.id);
  }
  await page.setViewportSize({ width: 320, height: 900 });
  await signInAs(page, "admin@academy.test", "/admin/questions");
  await expect(page.getByRole("link", { name: "Questions 2 to review" })).toBeVisible();
  const list = page.getByRole("list", { name: "Questions", exact: true });
  await expect(list.getByRole("listitem")).toHaveCount(2);
  await list.getByRole("button", { name: /^How warm/ }).press("Enter");
  await expect(list.getByText("hot", { exact: true })).toHaveRole("strong");
  await expectAccessibleInBothSchemes(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);

  await page.getByLabel("Answer", { exact: true }).fill("230 degrees.");
  await page.getByRole("button", { name: "Publish answer" }).press("Enter");
  await expectToast(page, "Answer published");
  await expect(list.getByText("230 degrees.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Questions 1 to review" })).toBeVisible();
  await list.getByRole("button", { name: /^Hide answer/ }).press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Hide answer" })).toBeDisabled();
  await dialog.getByLabel("Reason").fill("Too hot");
  await dialog.getByRole("button", { name: "Hide answer" }).press("Enter");
  await expectToast(page, "The answer is hidden");
  await expect(list.getByText("Hidden. The author reads: “Too hot”")).toBeVisible();

  const team = await ownAcademy.visitor().signInAsDemo("admin@academy.test");
  for (let number = 1; number <= 50; number++) {
    await team.call(writeAnswer, { params: { id: ids[0] ?? "" }, body: { text: `Answer number ${number}.` } });
  }
  await page.reload();
  await list.getByRole("button", { name: "Show more answers" }).press("Enter");
  await expect(list.getByText("Answer number 50.")).toBeVisible();
  await expect(page.locator("ol > li").filter({ hasText: "Answer number 49." })).toBeFocused();
  await expect(list.getByRole("button", { name: "Show more answers" })).toBeHidden();

  await signInAs(page, "coach@academy.test", "/coach");
  await page.getByRole("link", { name: "Students’ questions (1)" }).press("Enter");
  await page.getByRole("button", { name: /^Which flour/ }).press("Enter");
  await expect(page.getByLabel("Answer", { exact: true })).toBeVisible();
  await expectAccessible(page);
  complaints.expectEmpty();
});
