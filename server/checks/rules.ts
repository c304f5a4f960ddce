import type { CheckQuestion } from "#contract/admin/check-content.ts";
import { asTyped } from "#contract/as-typed.ts";
import type { Answer, AnsweredQuestion } from "#contract/checks.ts";
import { invalidFields, type Refusal } from "#server/base/refusal.ts";

/** A question as one student gets it. */
export type AskedQuestion = Exclude<CheckQuestion, { kind: "number" }> | (NumberQuestion & { answer: number });
type NumberQuestion = Extract<CheckQuestion, { kind: "number" }>;

/** Without anything that says what is right. */
export function withoutAnswer(question: AskedQuestion): Omit<AnsweredQuestion, "result"> {
  const { id, kind, text } = question;
  if ("options" in question) return { id, kind, text, options: question.options.map(({ id, text }) => ({ id, text })) };
  return { id, kind, text, ...(question.kind === "number" && question.unit && { unit: question.unit }) };
}

/** The answer as it is stored. @throws Refusal invalid-input with a sentence for the student. */
export function readAnswer(question: AskedQuestion, answer: Answer): string[] {
  switch (question.kind) {
    case "one":
    case "several":
      return readChoice(question, answer);
    case "number":
      return [String(readNumber(answer, question.unit))];
    case "text":
      if (typeof answer !== "string") throw refused("Enter your answer as text.");
      if (comparable(answer) === "") throw refused("Enter an answer.");
      return [answer.trim()];
  }
}

export function isRightAnswer(question: AskedQuestion, given: readonly string[]): boolean {
  switch (question.kind) {
    case "one":
    case "several":
      return given.join() === rightAnswer(question).join();
    case "number": {
      const { answer, tolerance = 0 } = question;
      // Decimal fractions have no exact form: 0.1 + 0.2 is off by less than this.
      const rounding = 1e-9 * Math.max(1, Math.abs(answer));
      return Math.abs(Number(given[0]) - answer) <= tolerance + rounding;
    }
    case "text":
      return spellings(question).some((spelling) => comparable(spelling) === comparable(given[0] ?? ""));
  }
}

export function rightAnswer(question: AskedQuestion): string[] {
  switch (question.kind) {
    case "one":
    case "several":
      return question.options.filter(({ isRight }) => isRight).map(({ id }) => id);
    case "number":
      return [String(question.answer)];
    case "text":
      return spellings(question).slice(0, 1);
  }
}

/** A stored answer as the contract has it. */
export function presentAnswer(kind: CheckQuestion["kind"], stored: readonly string[]): Answer {
  if (kind === "several") return [...stored];
  const [only = ""] = stored;
  return kind === "number" ? Number(only) : only;
}

/** In the order of the options. */
function readChoice({ kind, options }: Extract<AskedQuestion, { options: unknown }>, answer: Answer): string[] {
  if (kind === "one" && typeof answer !== "string") throw refused("Choose one option.");
  if (kind === "several" && !Array.isArray(answer)) throw refused("Send the options as a list.");
  const chosen = [answer].flat();
  if (chosen.length === 0) throw refused("Choose at least one option.");
  if (!chosen.every((id) => options.some((option) => option.id === id))) {
    throw refused("This option doesn’t exist. Reload the page.");
  }
  return options.map(({ id }) => id).filter((id) => chosen.includes(id));
}

/** Digits of any script, with a point or a comma for decimals, or commas between thousands; the unit may be with them. */
function readNumber(answer: Answer, unit = ""): number {
  if (typeof answer === "number") return answer;
  if (Array.isArray(answer)) throw refused("Enter a number.");
  const typed = asTyped(answer).replaceAll(" ", "").toLowerCase();
  const ofUnit = asTyped(unit).replaceAll(" ", "").toLowerCase();
  const unprefixed = typed.startsWith(ofUnit) ? typed.slice(ofUnit.length) : typed;
  const bare = ofUnit && unprefixed.endsWith(ofUnit) ? unprefixed.slice(0, -ofUnit.length) : unprefixed;
  const points = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare) ? bare.replaceAll(",", "") : bare.replace(",", ".");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(points) || Math.abs(Number(points)) > 1e15) {
    throw refused("Enter a number, such as 1250 or 12.5.");
  }
  return Number(points);
}

function spellings({ answer, accepted = [] }: Extract<AskedQuestion, { kind: "text" }>): string[] {
  return answer === undefined ? accepted : [answer, ...accepted];
}

/** Without case, spaces, accents and characters without a width. Marks that make other letters of a script stay. */
function comparable(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\s|\p{C}/gu, "")
    .replace(/[\u0300-\u036f]|[\u0591-\u05c7]|[\u064b-\u065f]|\u0670|[\ufe00-\ufe0f]/gu, "")
    .normalize("NFC")
    .toUpperCase();
}

function refused(sentence: string): Refusal {
  return invalidFields({ answer: [sentence] });
}
