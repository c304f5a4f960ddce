import { expect, test } from "vitest";
import { CheckContent, type CheckQuestion } from "#contract/admin/check-content.ts";
import type { Answer } from "#contract/checks.ts";
import { Refusal } from "#server/base/refusal.ts";
import { versionOfQuestion } from "#server/catalogue/checks.ts";
import { isRightAnswer, readAnswer, withoutAnswer } from "./rules.ts";
import { askStudent } from "./variants.ts";

const every = { id: "q", text: "Which?", explanation: "Because.", at: null };
const options = [
  { id: "a", text: "A", isRight: true },
  { id: "b", text: "B", isRight: false },
  { id: "c", text: "C", isRight: true },
];
const several: CheckQuestion = { ...every, kind: "several", options };
const one: CheckQuestion = { ...every, kind: "one", options: options.slice(0, 2) };
const price: CheckQuestion = { ...every, kind: "number", answer: 12.5, tolerance: 0.1, unit: "kg" };
const word: CheckQuestion = { ...every, kind: "text", answer: "Crème brûlée", accepted: ["Straße", "أَهْلًا"] };

/** Whether the answer is right, or the sentence by which it is refused. */
function grade(question: CheckQuestion, answer: Answer): boolean | string | undefined {
  const asked = askStudent(question, "student");
  try {
    return isRightAnswer(asked, readAnswer(asked, answer));
  } catch (error) {
    return error instanceof Refusal ? error.errors?.answer?.[0] : String(error);
  }
}

const notNumber = "Enter a number, such as 1250 or 12.5.";

test.each<[CheckQuestion, Answer, boolean | string]>([
  [one, "a", true],
  [one, "b", false],
  [one, "z", "This option doesn’t exist. Reload the page."],
  [one, ["a"], "Choose one option."],
  [several, ["c", "a", "a"], true],
  [several, ["a"], false],
  [several, ["a", "b", "c"], false],
  [several, [], "Choose at least one option."],
  [several, "a", "Send the options as a list."],
  [price, 12.5, true],
  [price, 12.6, true],
  [price, 12.61, false],
  [price, "12,50", true],
  [price, " 12.5 kg ", true],
  [price, "kg12.5", true],
  [price, "\u200f١٢٫٥", notNumber],
  [price, "１２.5", true],
  [price, "−12.5", false],
  [price, "12.5 pounds", notNumber],
  [price, "NaN", notNumber],
  [price, "Infinity", notNumber],
  [price, "1e400", notNumber],
  [price, "9".repeat(400), notNumber],
  [price, "1.234,56", notNumber],
  [price, "", notNumber],
  [{ ...price, answer: 1250, tolerance: 0 }, "1,250.00", true],
  [{ ...price, answer: 0.3, tolerance: 0 }, 0.1 + 0.2, true],
  [word, "creme  BRULEE", true],
  [word, "cre\u0300me\u200b brûlée\u202e", true],
  [word, "STRASSE", true],
  [word, "\u200fأهلا", true],
  [word, "creme", false],
  [{ ...word, accepted: ["कि"] }, "का", false],
  [word, " \u200b", "Enter an answer."],
  [word, 5, "Enter your answer as text."],
])("grading %#: %j takes %j as %j", (question, answer, expected) => {
  expect(grade(question, answer)).toBe(expected);
});

test("each student keeps one variant, and variants are spread", () => {
  const variants = Array.from({ length: 20 }, (_, at) => ({ text: `For ${at} loaves`, answer: at }));
  const question: CheckQuestion = { ...every, kind: "number", variants };
  const answers = Array.from({ length: 200 }, (_, at) => askStudent(question, `student-${at}`));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(20);
  expect(askStudent(question, "student-7")).toEqual(answers[7]);
  expect(JSON.stringify(withoutAnswer(answers[7] as never))).not.toMatch(/answer|variants|Because/);
});

test("a question has another version when it asks something else, not when it explains or lists it otherwise", () => {
  const version = versionOfQuestion(several);
  const same = { ...several, options: options.toReversed(), explanation: "Since.", at: 9 };
  expect(versionOfQuestion(same)).toBe(version);
  expect(versionOfQuestion({ ...several, text: "Which ones?" })).not.toBe(version);
  const turned = options.map((option) => ({ ...option, isRight: !option.isRight }));
  expect(versionOfQuestion({ ...several, options: turned })).not.toBe(version);
});

const variant = (at: number) => ({ text: `For ${at}`, answer: at });
const twice = [options[0], { ...options[1], text: " A\u200b" }];

test.each<[string, unknown[], string, string]>([
  [
    "two right options in one",
    [{ ...one, options }],
    "questions.0.options",
    "Mark only one option as right, or choose “Several right options”",
  ],
  [
    "no right option",
    [{ ...several, options: options.map((o) => ({ ...o, isRight: false })) }],
    "questions.0.options",
    "Mark at least one option as right",
  ],
  ["one option", [{ ...one, options: [options[0]] }], "questions.0.options", "Add at least two options"],
  [
    "an empty option",
    [{ ...one, options: [options[0], { ...options[1], text: "\u200b" }] }],
    "questions.0.options.1.text",
    "Required",
  ],
  ["an option twice", [{ ...one, options: twice }], "questions.0.options.1.text", "The same as option 1"],
  [
    "21 variants",
    [{ ...price, variants: Array.from({ length: 21 }, (_, at) => variant(at)) }],
    "questions.0.variants",
    "At most 20 variants",
  ],
  [
    "a number without an answer",
    [{ ...every, kind: "number" }],
    "questions.0.answer",
    "Enter the right answer, or add variants",
  ],
  ["an endless number", [{ ...price, answer: Number.POSITIVE_INFINITY }], "questions.0.answer", "Enter a number"],
  ["a text without an answer", [{ ...every, kind: "text" }], "questions.0.answer", "Enter the right answer"],
  ["an unknown kind", [{ ...every, kind: "essay" }], "questions.0.kind", "Choose a kind of question"],
  [
    "11 questions",
    Array.from({ length: 11 }, (_, at) => ({ ...one, id: `q-${at}` })),
    "questions",
    "At most 10 questions",
  ],
  ["no question", [], "questions", "Add a question"],
  ["two questions with one id", [one, one], "questions.1.id", "Another question has this id"],
])("a check with %s is refused at its field", (_, questions, path, message) => {
  const { error } = CheckContent.safeParse({ questions });
  expect(error?.issues.map((issue) => [issue.path.join("."), issue.message])).toContainEqual([path, message]);
});
