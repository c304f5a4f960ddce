import type { Locator, Page } from "@playwright/test";
import { getPlayerChoices } from "#contract/player-choices.ts";
import { listProgress } from "#contract/progress.ts";
import { publishLesson } from "#test/drafts.ts";
import type { Visitor } from "#test/visitor.ts";
import { expect, expectAccessible, expectLive, signInAs, test, testAlone } from "../academy.ts";
import { coverOf, playLesson, secondOf } from "../video.ts";

const offerOn = (page: Page) => page.getByRole("region", { name: "Next lesson" });
const firstLesson = (page: Page) => page.getByRole("region", { name: "Lesson: The Gap Between Two Prices" });
const secondLesson = (page: Page) => page.getByRole("region", { name: "Lesson: Opening Your Seller Account" });

/** Plays a lesson to its end, and stops the clock there. */
async function playToTheEnd(page: Page, lesson = firstLesson(page)): Promise<void> {
  const video = lesson.locator("video");
  await expect(video).toHaveCount(1);
  await video.evaluate((element: HTMLVideoElement) => element.play());
  await expect.poll(secondOf(video)).toBeGreaterThan(0.2);
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 600_000);
  await end(video);
}

async function end(video: Locator): Promise<void> {
  await video.evaluate(async (element: HTMLVideoElement) => {
    await element.play();
    element.currentTime = element.duration - 0.2;
  });
  await expect(video).toHaveJSProperty("ended", true);
}

/** Waits for the offer, whose five seconds have not begun. */
async function expectOffer(page: Page): Promise<void> {
  await expect(async () => {
    // React reveals suspended content by a timer.
    await page.clock.runFor(50);
    await expect(offerOn(page)).toBeVisible({ timeout: 250 });
  }).toPass({ intervals: [50] });
}

async function open(page: Page, student: Visitor): Promise<void> {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.clock.install();
  await signInAs(page, student, "/dashboard?lesson=lesson-1-1");
}

test("the next lesson plays five seconds after a lesson's end, unless the student does something", async ({
  page,
  academy,
}) => {
  const student = await academy.buyer("basic");
  await open(page, student);
  await expect(page.getByLabel("Play the next lesson automatically")).toBeChecked();
  await playLesson(page);
  await firstLesson(page).getByRole("button", { name: "1x speed" }).click();
  await playToTheEnd(page);
  await expectOffer(page);
  const offer = offerOn(page);
  await expect(offer).toContainText("Next lesson in 5");
  await expect(offer.getByRole("status")).toHaveText(
    "The lesson has ended. The next one, Opening Your Seller Account, starts in 5 seconds.",
  );
  const saved = async () =>
    (await student.call(listProgress)).body.map(({ lessonId, position }) => [lessonId, position]);
  await expect.poll(saved).toEqual([["lesson-1-1", expect.closeTo(40, -1)]]);

  // The offer pauses for the keyboard, which plays or cancels, and any other use of the page cancels it.
  const playNow = offer.getByRole("button", { name: "Play now" });
  const cancel = offer.getByRole("button", { name: "Cancel" });
  await playNow.focus();
  await page.clock.fastForward(20_000);
  await expect(page).toHaveURL(/lesson-1-1$/);
  await page.keyboard.press("Tab");
  await expect(cancel).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(offer).toHaveCount(0);
  await expect(page.getByRole("region", { name: "The Gap Between Two Prices", exact: true })).toBeFocused();

  const video = firstLesson(page).locator("video");
  const uses: (() => Promise<void>)[] = [
    () => video.evaluate((element: HTMLVideoElement) => element.play()),
    () =>
      video.evaluate((element: HTMLVideoElement) => {
        element.currentTime = 3;
      }),
    () => page.keyboard.press("j"),
    () => page.getByRole("heading", { name: "Your Progress" }).click(),
    () => page.mouse.wheel(0, 40),
  ];
  for (const use of uses) {
    await video.scrollIntoViewIfNeeded();
    await end(video);
    await expectOffer(page);
    await use();
    await expect(offer).toHaveCount(0);
    await video.evaluate((element: HTMLVideoElement) => element.pause());
  }
  await page.clock.fastForward(6000);
  await expect(page).toHaveURL(/lesson-1-1$/);

  // Whoever has scrolled on to the questions reads there, without a touch.
  const questions = page.getByRole("heading", { name: "Questions", exact: true });
  await questions.evaluate((heading) => heading.scrollIntoView());
  await end(video);
  for (let step = 0; step < 20; step += 1) await page.clock.runFor(50);
  await page.clock.fastForward(6000);
  await expect(page).toHaveURL(/lesson-1-1$/);
  await expect(questions).toBeInViewport();

  await video.scrollIntoViewIfNeeded();
  await end(video);
  await expectOffer(page);
  await page.clock.fastForward(2000);
  await expect(offer).toContainText("Next lesson in 3");
  // The status is announced once, without the countdown.
  await expect(offer.getByRole("status")).toContainText("in 5 seconds");
  await page.clock.fastForward(3000);
  await expect(page).toHaveURL(/lesson-1-2$/);
  await page.clock.resume();
  await expect(secondLesson(page).locator("video")).toHaveJSProperty("paused", false);
  // The speed that was chosen stays.
  await expect(secondLesson(page).locator("video")).toHaveJSProperty("playbackRate", 1.25);
  await expect(offer).toHaveCount(0);

  await playToTheEnd(page, secondLesson(page));
  await expectOffer(page);
  await playNow.focus();
  await page.clock.resume();
  await playNow.press("Enter");
  await expect(page).toHaveURL(/lesson-1-3$/);
  // A reload starts no playback.
  await page.reload();
  await expect(coverOf(page)).toBeVisible();
});

test("students and reduced motion turn autoplay off, and nothing plays past a locked lesson", async ({
  page,
  academy,
}) => {
  const student = await academy.buyer("basic");
  const expectNoOffer = async () => {
    await playLesson(page);
    await playToTheEnd(page);
    await page.clock.fastForward(10_000);
    await expect(page).toHaveURL(/lesson-1-1$/);
    await expect(offerOn(page)).toHaveCount(0);
  };
  await open(page, student);
  await page.getByLabel("Play the next lesson automatically").uncheck();
  await expect.poll(async () => (await student.call(getPlayerChoices)).body).toEqual({ playsNext: false });
  await expectNoOffer();

  // The profile shows the same choice.
  await page.clock.resume();
  await page.goto("/profile");
  const lessons = page.getByRole("region", { name: "Lessons" });
  await expect(lessons.getByLabel("Play the next lesson automatically")).not.toBeChecked();
  await lessons.getByLabel("Play the next lesson automatically").check();
  await expect.poll(async () => (await student.call(getPlayerChoices)).body).toEqual({ playsNext: true });
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/dashboard?lesson=lesson-1-1");
  await expect(page.getByLabel("Autoplay is off because your device is set to reduce motion")).toBeDisabled();
  await expectNoOffer();

  // Past a locked lesson nothing plays: the plan that unlocks it is offered.
  await page.clock.resume();
  await page.context().clearCookies();
  await page.goto("/demo-dashboard");
  await expectLive(page);
  await page.getByRole("button", { name: /^Play: / }).click();
  await playToTheEnd(page);
  await expectOffer(page);
  await expect(offerOn(page)).toContainText(
    "The next lesson, Opening Your Seller Account, is included in Monthly Access.",
  );
  await page.clock.fastForward(10_000);
  await expect(page).toHaveURL(/lesson-1-1$/);
  await page.clock.resume();
  await expectAccessible(page);
  await offerOn(page).getByRole("button", { name: "Close" }).click();
  await expect(offerOn(page)).toHaveCount(0);
});

testAlone("a lesson's end leads to its check while that is open", async ({ page, ownAcademy }) => {
  const question = { id: "fee", kind: "text" as const, text: "What is left?", answer: "Seven", at: null };
  const check = { questions: [{ ...question, explanation: "Subtract every fee." }] };
  await publishLesson(ownAcademy, "lesson-1-1", { check });
  await open(page, await ownAcademy.buyer("basic"));
  await playLesson(page);
  await playToTheEnd(page);
  await expectOffer(page);
  await offerOn(page).getByRole("button", { name: "Go to check" }).press("Enter");
  await expect(offerOn(page)).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Check your understanding" })).toBeFocused();
  await page.clock.fastForward(6000);
  await expect(page).toHaveURL(/lesson-1-1$/);
});
