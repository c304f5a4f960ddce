import { askQuestion, editQuestion, listLessonQuestions, writeAnswer } from "#contract/questions.ts";
import { expect, expectAccessible, expectAccessibleInBothSchemes, signInAs, test } from "../academy.ts";

test("a question survives reloads and changes elsewhere, and is asked, answered and accepted by keyboard", async ({
  page,
  context,
  academy,
}) => {
  const [student, other] = [await academy.buyer("basic"), await academy.buyer("basic")];
  const lesson = { lessonId: "lesson-1-3" };
  await other.call(askQuestion, {
    params: lesson,
    body: { title: "Why do fees differ between shops?", text: "<b>I wonder</b>", at: 5 },
  });
  await signInAs(page, student, "/dashboard?lesson=lesson-1-3");
  const questions = page.getByRole("region", { name: "Questions", exact: true });
  await questions.scrollIntoViewIfNeeded();
  await questions.getByRole("button", { name: "Ask a question" }).press("Enter");
  const form = questions.getByRole("form", { name: "Ask a question" });
  await expect(form.getByLabel("Your question")).toBeFocused();
  await form.getByLabel("Your question").fill("Why");
  await form.getByLabel("Your question").press("Enter");
  await expect(form.getByRole("alert")).toHaveText("Use at least 8 characters");
  await form.getByLabel("Your question").fill("Why are fees so different?");
  await expect(form.getByRole("button", { name: "Why do fees differ between shops?" })).toBeVisible();
  await expect(form.getByRole("button", { name: "Add the moment in the video" })).toBeVisible();
  await form.getByLabel("Details (optional)").fill("Is it *normal*?");
  await expectAccessibleInBothSchemes(page);

  await page.reload();
  await questions.scrollIntoViewIfNeeded();
  await expect(form.getByLabel("Details (optional)")).toHaveValue("Is it *normal*?");
  await form.getByRole("button", { name: "Add the moment in the video" }).press("Enter");
  await context.setOffline(true);
  await form.getByRole("button", { name: "Ask", exact: true }).press("Enter");
  await expect(form.getByRole("status")).toHaveText("Not saved yet. We’ll keep trying.");
  await context.setOffline(false);
  const asked = questions.getByRole("button", { name: "Why are fees so different?" });
  await expect(asked).toHaveAttribute("aria-expanded", "true");
  await expect(asked).toBeFocused();
  const { body } = await student.call(listLessonQuestions, { params: lesson, query: { sort: "new" } });
  expect(body.questions.map(({ title, at }) => [title, at])).toEqual([
    ["Why are fees so different?", 0],
    ["Why do fees differ between shops?", 5],
  ]);

  const id = body.questions[0]?.id ?? "";
  await other.call(writeAnswer, { params: { id }, body: { text: "Shops set them." } });
  // As an email leads to it.
  await page.goto(`/questions/${id}`);
  const answer = page.getByRole("article");
  await expect(answer).toContainText("Shops set them.");
  await answer.getByRole("button", { name: "Helpful" }).press("Enter");
  await expect(answer.getByRole("button", { name: "Helpful (1)" })).toHaveAttribute("aria-pressed", "true");
  await answer.getByRole("button", { name: "Accept answer" }).press("Enter");
  await expect(answer.getByText("Accepted", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Write an answer" }).press("Enter");
  await page.getByLabel("Your answer").fill("Thank you!");
  await page.getByRole("button", { name: "Post answer" }).press("Enter");
  await expect(page.getByRole("article", { name: "Answer by you" })).toContainText("Thank you!");
  await expectAccessible(page);

  // The question was changed elsewhere: both texts are shown before one of them is saved.
  await page.getByRole("button", { name: "Edit" }).first().press("Enter");
  const edited = page.getByRole("form", { name: "Edit your question" });
  await edited.getByLabel("Details (optional)").fill("Mine is 12%.");
  const elsewhere = { title: "Why are fees so different?", text: "Mine is 9%." };
  await student.call(editQuestion, { params: { id }, body: elsewhere });
  await edited.getByRole("button", { name: "Save" }).press("Enter");
  const choice = edited.getByRole("region", { name: "Changed elsewhere" });
  await expect(choice.getByRole("blockquote")).toContainText("Mine is 9%.");
  await expect(edited.getByLabel("Details (optional)")).toHaveValue("Mine is 12%.");
  await expectAccessibleInBothSchemes(page);
  await choice.getByRole("button", { name: "Keep mine" }).press("Enter");
  await expect(edited.getByRole("button", { name: "Save" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(edited).toBeHidden();
  await expect(page.getByText("Mine is 12%.")).toBeVisible();

  // An answer in a thread of several pages is shown where it was written.
  for (let at = 3; at <= 20; at += 1) {
    const body = { text: `From the left: ${at}` };
    expect((await other.call(writeAnswer, { params: { id }, body })).status).toBe(200);
  }
  await page.reload();
  await expect(answer).toHaveCount(20);
  await page.getByRole("button", { name: "Write an answer" }).click();
  await page.getByLabel("Your answer").fill("From the right.");
  await page.getByRole("button", { name: "Post answer" }).click();
  await expect(answer.filter({ hasText: "From the right." })).toBeVisible();

  await page.getByRole("link", { name: "All questions" }).click();
  await page.getByRole("button", { name: "Why do fees differ between shops?" }).press("Enter");
  await expect(page.getByText("<b>I wonder</b>")).toBeVisible();
  await expect(page.getByRole("link", { name: "Watch at 0:05" })).toHaveAttribute(
    "href",
    "/dashboard?lesson=lesson-1-3&at=5",
  );
  await page.getByRole("button", { name: "Why are fees so different?" }).press("Enter");
  await page.getByRole("button", { name: "Delete" }).first().press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
  await expect(page.getByRole("button", { name: "Deleted question" })).toBeVisible();
  await expect(page.getByRole("article", { name: "Answer by you" }).first()).toContainText("Thank you!");
});

test("questions load when they are reached, also where the browser reports late", async ({ page, academy }) => {
  // As on a busy machine: the browser reports that the section is outside the window only with the next change.
  await page.addInitScript(() => {
    window.IntersectionObserver = class extends IntersectionObserver {
      constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
        const late: IntersectionObserverEntry[] = [];
        super((changes, observer) => {
          late.push(...changes);
          if (changes.some(({ isIntersecting }) => isIntersecting)) callback(late.splice(0), observer);
        }, options);
      }
    };
  });
  await page.setViewportSize({ width: 390, height: 640 });
  await signInAs(page, await academy.buyer("basic"), "/dashboard?lesson=lesson-1-3");
  const questions = page.getByRole("region", { name: "Questions", exact: true });
  await expect(questions).not.toBeInViewport();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await questions.scrollIntoViewIfNeeded();
  await expect(questions.getByRole("button", { name: "Ask a question" })).toBeVisible();
});
