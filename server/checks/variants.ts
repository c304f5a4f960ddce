import { createHash } from "node:crypto";
import type { CheckQuestion } from "#contract/admin/check-content.ts";
import type { AskedQuestion } from "./rules.ts";

/** Of variants, each student gets the same one every time, which nobody else's tells. */
export function askStudent(question: CheckQuestion, userId: string): AskedQuestion {
  if (question.kind !== "number") return question;
  const { variants = [] } = question;
  const chosen =
    createHash("sha256").update(`${question.id} ${userId}`).digest().readUInt32BE() % (variants.length || 1);
  const variant = variants[chosen];
  if (variant) return { ...question, text: `${question.text}\n${variant.text}`, answer: variant.answer };
  if (question.answer === undefined) throw new Error("a number question without an answer passed its schema");
  return { ...question, answer: question.answer };
}
