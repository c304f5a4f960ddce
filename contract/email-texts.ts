import { z } from "zod";
import { headerLine } from "./line.ts";

/** The texts of an automatic email, by name. */
export const EmailTexts = z.record(z.string().max(40), z.string().max(1000));
export type EmailTexts = Readonly<z.infer<typeof EmailTexts>>;

/** The names of the facts that a text has in braces, such as `{plan}`. */
export function placeholdersOf(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name))];
}

/** Puts facts in place of their names, once: braces in a fact stay. */
export function fillText(text: string, facts: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name) => facts[name] ?? whole);
}

/** The schema of what may replace the texts: lines with the same placeholders. Browsers load it apart by its capital. */
export function EmailTextsLike(originals: EmailTexts) {
  const fields = Object.entries(originals).map(([name, original]) => {
    const needed = placeholdersOf(original);
    const isShort = /^(subject|heading)/.test(name);
    const text = headerLine(isShort ? 150 : 600).check(({ value, issues }) => {
      const found = placeholdersOf(value);
      const missing = needed.filter((one) => !found.includes(one)).map((one) => `{${one}}`);
      const unknown = found.filter((one) => !needed.includes(one)).map((one) => `{${one}}`);
      const fault = (message: string) => issues.push({ code: "custom", input: value, message });
      if (missing.length > 0) fault(`Add ${missing.join(" and ")}. We fill it in for each student.`);
      else if (unknown.length > 0) fault(`Remove ${unknown.join(" and ")}. This text can’t use it.`);
    });
    return [name, text] as const;
  });
  return z.strictObject(Object.fromEntries(fields));
}

export function fits(text: string, original: string): boolean {
  return EmailTextsLike({ text: original }).safeParse({ text }).success;
}
