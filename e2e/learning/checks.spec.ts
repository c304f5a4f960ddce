import type { CheckQuestion } from "#contract/admin/check-content.ts";
import { getCheck } from "#contract/checks.ts";
import type { RunningAcademy } from "#test/academy.ts";
import { publishLesson } from "#test/drafts.ts";
import { expect, expectAccessible, expectAccessibleInBothSchemes, signInAs, testAlone } from "../academy.ts";
import { secondOf } from "../video.ts";

const every = { explanation: "Dough rises by the gas of yeast.", at: 12 };
const options = (...texts: string[]) => texts.map((text, at) => ({ id: `option-${at}`, text, isRight: at === 0 }));
const one: CheckQuestion = {
  ...every,
  id: "one",
  kind: "one",
  text: "What raises it?",
  options: options("Yeast", "Salt"),
};
const questions: CheckQuestion[] = [
  one,
  { ...every, id: "several", kind: "several", text: "What is it made of?", options: options("Flour", "Sand", "Chalk") },
  { ...every, id: "number", kind: "number", text: "How much water?\nFor two loaves.", unit: "g", answer: 650 },
  { ...every, id: "text", kind: "text", text: "What is the resting called?", answer: "Autolyse" },
];

const publish = (academy: RunningAcademy, questions: CheckQuestion[], opensAt: string | null = null) =>
  publishLesson(academy, "lesson-1-1", { opensAt, check: { questions } });

testAlone(
  "a check is answered, explained and passed by keyboard, and no answer is lost on the way",
  async ({ page, context, ownAcademy }) => {
    await publish(ownAcademy, questions);
    await signInAs(page, await ownAcademy.buyer("basic"), "/dashboard?lesson=lesson-1-1");
    await expect(page.getByText("Next: Lesson 1-1, then its check")).toBeVisible();
    const check = page.getByRole("region", { name: "Check your understanding" });
    await check.scrollIntoViewIfNeeded();
    const asked = (name: string) => check.getByRole("form", { name });
    const first = asked("Question 1");
    await first.getByRole("button", { name: "Check answer" }).click();
    await expect(first.getByRole("alert")).toHaveText("Choose an answer.");
    await first.getByRole("radio", { name: "Salt" }).focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await expect(first.getByRole("status")).toHaveText(`Not quite.${every.explanation}`);
    await expectAccessibleInBothSchemes(page);
    await first.getByRole("button", { name: "Watch again at 0:12" }).click();
    const video = page.getByRole("region", { name: "Lesson: The Gap Between Two Prices" }).locator("video");
    await expect.poll(secondOf(video)).toBeGreaterThan(11);
    await first.getByRole("radio", { name: "Yeast" }).check();
    await first.getByRole("button", { name: "Try again" }).press("Enter");
    await expect(first.getByRole("status")).toHaveText(`That’s right.${every.explanation}`);
    await expect(first).toBeFocused();

    await asked("Question 2").getByRole("checkbox", { name: "Flour" }).check();
    await asked("Question 2").getByRole("button", { name: "Check answer" }).click();
    await expect(asked("Question 2").getByRole("status")).toContainText("That’s right.");
    const number = asked("Question 3").getByLabel("Your answer, in g");
    await number.fill("lots");
    await number.press("Enter");
    await expect(asked("Question 3").getByRole("alert")).toHaveText("Enter a number, such as 1250 or 12.5.");
    await number.fill("650,0");
    await number.press("Enter");
    await expect(asked("Question 3").getByRole("status")).toContainText("That’s right.");
    const word = asked("Question 4").getByLabel("Your answer");
    await word.fill("Sleep");
    await word.press("Enter");
    await asked("Question 4").getByRole("button", { name: "Show me" }).click();
    await expect(asked("Question 4").getByRole("status")).toHaveText(`Here’s the answer.Autolyse ${every.explanation}`);
    await expect(check.getByText("You passed this check.")).toBeVisible();
    await expect(check.getByRole("link", { name: "Opening Your Seller Account" })).toBeVisible();
    await expect(page.getByRole("link", { name: /The Gap Between Two Prices.*Check passed/ })).toBeVisible();

    await publish(ownAcademy, questions, new Date(Date.now() + 9 * 86_400_000).toISOString());
    await page.reload();
    const tellMe = page.getByRole("button", { name: "Tell me when it opens" });
    await tellMe.click();
    await expect(page.getByText(/^We’ll email you when it opens, /)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Don’t email me" }).click();
    await expect(tellMe).toBeVisible();
    await page.getByRole("searchbox", { name: "Search the course" }).fill("gap between two");
    await expect(page.getByRole("search").getByRole("link").first()).toContainText(/Opens \w+ \d+/);

    // An answer without a connection stays and is sent again by itself, and a changed check says so.
    await publish(ownAcademy, [one]);
    const other = await ownAcademy.buyer("basic");
    await signInAs(page, other, "/dashboard?lesson=lesson-1-1");
    const question = page.getByRole("form", { name: "Question" });
    await page.getByRole("heading", { name: "Check your understanding" }).scrollIntoViewIfNeeded();
    await question.getByRole("radio", { name: "Salt" }).check();
    await publish(ownAcademy, [{ ...one, text: "What lifts it?" }]);
    await question.getByRole("button", { name: "Check answer" }).click();
    await expect(
      page.getByText("This check has changed since you opened it. Look at the question again."),
    ).toBeVisible();
    await expect(question).toContainText("What lifts it?");
    await expect(question.getByRole("radio", { name: "Salt" })).toBeChecked();

    await context.setOffline(true);
    await question.getByRole("button", { name: "Check answer" }).click();
    await expect(question.getByRole("status")).toHaveText("Not saved yet. We’ll keep trying.");
    await expect(question.getByRole("radio", { name: "Salt" })).toBeChecked();
    await context.setOffline(false);
    await expect(question.getByRole("status")).toContainText("Not quite.");
    const { body } = await other.call(getCheck, { params: { lessonId: "lesson-1-1" } });
    expect(body.questions[0]?.result).toMatchObject({ isRight: false, given: "option-1" });

    await context.setOffline(true);
    await question.getByRole("radio", { name: "Yeast" }).check();
    await question.getByRole("button", { name: "Try again" }).click();
    await expect(question.getByRole("status")).toHaveText("Not saved yet. We’ll keep trying.");
    await page.goto("about:blank");
    await publish(ownAcademy, [{ ...one, text: "What does not raise it?" }]);
    await context.setOffline(false);
    await page.goto("/dashboard?lesson=lesson-1-1");
    await page.getByRole("heading", { name: "Check your understanding" }).scrollIntoViewIfNeeded();
    await expect(question.getByRole("radio", { name: "Yeast" })).toBeChecked();
    await question.getByRole("radio", { name: "Salt" }).check();
    await question.getByRole("button", { name: "Check answer" }).click();
    await expect(question.getByRole("status")).toContainText("Not quite.");

    // Access ends in the middle.
    await ownAcademy.pool.query("update lessons set free_preview = false where id = 'lesson-1-1'");
    await ownAcademy.pool.query("update modules set required_tier = 'vip' where id = 'module-1'");
    await question.getByRole("radio", { name: "Yeast" }).check();
    await question.getByRole("button", { name: "Try again" }).click();
    await expect(question.getByRole("alert")).toHaveText(
      "Your answer wasn’t saved. This part of the course is included in Lifetime Access.",
    );
    await expect(question.getByRole("radio", { name: "Yeast" })).toBeChecked();
  },
);
