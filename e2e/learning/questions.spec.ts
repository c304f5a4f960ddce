import { askQuestion, editQuestion, listLessonQuestions, writeAnswer } from "#contract/questions.ts";
import { become, expect, expectAccessible, expectAccessibleInBothSchemes, test } from "../academy.ts";

test("a question survives a reload and a lost connection, and is asked, answered and accepted by keyboard", async ({
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
  await become(context, student);
  await page.goto("/dashboard?lesson=lesson-1-3");
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
  await expect(page.getByRole("article", { name: "Answer by you" })).toContainText("Thank you!");
});

test("a question that was changed elsewhere shows both texts before one of them is saved", async ({
  page,
  context,
  academy,
}) => {
  const student = await academy.buyer("basic");
  const asked = { title: "Why do fees differ?", text: "Mine is high.", at: null };
  const { body } = await student.call(askQuestion, { params: { lessonId: "lesson-1-3" }, body: asked });
  const { id } = body.question;
  await become(context, student);
  await page.goto(`/questions/${id}`);
  await page.getByRole("button", { name: "Edit" }).press("Enter");
  const form = page.getByRole("form", { name: "Edit your question" });
  await form.getByLabel("Details (optional)").fill("Mine is 12%.");
  await student.call(editQuestion, { params: { id }, body: { title: asked.title, text: "Mine is 9%." } });
  await form.getByRole("button", { name: "Save" }).press("Enter");
  const choice = form.getByRole("region", { name: "Changed elsewhere" });
  await expect(choice.getByRole("blockquote")).toContainText("Mine is 9%.");
  await expect(form.getByLabel("Details (optional)")).toHaveValue("Mine is 12%.");
  await expectAccessibleInBothSchemes(page);
  await choice.getByRole("button", { name: "Keep mine" }).press("Enter");
  await expect(form.getByRole("button", { name: "Save" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(form).toBeHidden();
  await expect(page.getByText("Mine is 12%.")).toBeVisible();
});

test("an answer in a thread of several pages is shown where it was written", async ({ page, context, academy }) => {
  const [student, other] = [await academy.buyer("basic"), await academy.buyer("basic")];
  const asked = { title: "How do you count shelves?", text: "", at: null };
  const { body } = await other.call(askQuestion, { params: { lessonId: "lesson-1-3" }, body: asked });
  const { id } = body.question;
  for (let at = 1; at <= 20; at += 1) {
    expect((await other.call(writeAnswer, { params: { id }, body: { text: `From the left: ${at}` } })).status).toBe(
      200,
    );
  }
  await become(context, student);
  await page.goto(`/questions/${id}`);
  await expect(page.getByRole("article")).toHaveCount(20);
  await page.getByRole("button", { name: "Write an answer" }).click();
  await page.getByLabel("Your answer").fill("From the right.");
  await page.getByRole("button", { name: "Post answer" }).click();
  await expect(page.getByRole("article", { name: "Answer by you" })).toContainText("From the right.");
});

test("questions load when they are reached, also where the browser reports late", async ({
  page,
  context,
  academy,
}) => {
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
  await become(context, await academy.buyer("basic"));
  await page.goto("/dashboard?lesson=lesson-1-3");
  const questions = page.getByRole("region", { name: "Questions", exact: true });
  await expect(questions).not.toBeInViewport();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await questions.scrollIntoViewIfNeeded();
  await expect(questions.getByRole("button", { name: "Ask a question" })).toBeVisible();
});
