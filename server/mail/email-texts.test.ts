import { expect, test } from "vitest";
import { builtInEmails } from "#content/emails.ts";
import { EmailTextsLike, fillText, placeholdersOf } from "#contract/email-texts.ts";
import { originalTexts } from "#server/settings/email-texts.ts";
import { type Say, sayFor } from "./email-texts.ts";

const say: Say<"renewed"> = sayFor("renewed");

test("a text without its facts, or with others, does not compile", () => {
  const { plan, amount } = { plan: "Monthly Access", amount: "$49.00" };
  expect(say("subject", { plan, amount })).toBe("Your Monthly Access was renewed: receipt for $49.00");
  // @ts-expect-error: without the amount
  say("subject", { plan });
  // @ts-expect-error: with a fact that the text does not have
  say("charged", { plan, amount, day: "today" });
  // @ts-expect-error: without facts
  say("charged");
  // @ts-expect-error: a text of another email
  say("never", { amount });
});

test("braces and patterns in a fact stay as they are", () => {
  expect(fillText("{title} for {plan}", { title: "{plan} $& $1", plan: "Basic" })).toBe("{plan} $& $1 for Basic");
});

const wording = EmailTextsLike(originalTexts("declined"));
const again = "We'll charge {amount} on {day}.";

const refused: [name: string, text: string, why: string][] = [
  ["again", "We'll try again soon.", "Add {day} and {amount}. We fill it in for each student."],
  ["again", "We'll charge {amount} on { day }.", "Add {day}. We fill it in for each student."],
  ["again", "We'll charge {amount} on {Day}.", "Add {day}. We fill it in for each student."],
  ["again", `${again} Then on {time}.`, "Remove {time}. This text can’t use it."],
  ["subject", "{amount} for {plan}\nBcc: all@academy.test", "Use a single line"],
  ["subject", "{amount} for {plan}\u202eevil", "Use a single line"],
  ["heading", " ", "Required"],
  ["heading", "a".repeat(151), "Use 150 characters or fewer"],
];

for (const [name, text, why] of refused) {
  test(`the wording ${JSON.stringify(text).slice(0, 60)} is refused, and the reason names the fault [N20]`, () => {
    const { error } = wording.safeParse({ ...originalTexts("declined"), [name]: text });
    expect(error?.issues.map(({ path, message }) => [path, message])).toEqual([[[name], why]]);
  });
}

test("a wording may move and repeat its placeholders", () => {
  const texts = { ...originalTexts("declined"), again: `${again} {amount}!` };
  expect(wording.parse(texts)).toEqual(texts);
});

test("the built-in texts keep the rules for others", () => {
  for (const kind of Object.keys(builtInEmails)) {
    const texts = originalTexts(kind);
    expect(EmailTextsLike(texts).parse(texts)).toEqual(texts);
    expect(Object.keys(texts).join()).toMatch(/^subject/);
    for (const text of Object.values(texts)) expect(text.split("{")).toHaveLength(text.split("}").length);
    expect(Object.values(texts).flatMap(placeholdersOf)).not.toContain("");
  }
});
