import type { builtInEmails } from "#content/emails.ts";
import { type EmailTexts, fillText } from "#contract/email-texts.ts";
import { originalTexts } from "#server/settings/email-texts.ts";

/** The emails whose texts the owner may change. */
export type WordedKind = keyof typeof builtInEmails;

type TextsOf<Kind extends WordedKind> = (typeof builtInEmails)[Kind]["texts"];
type TextOf<Text> = Text extends readonly [infer First, string] ? First : Text;
type Placeholder<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholder<Rest> : never;
type FactsIn<Text> = [Placeholder<Text>] extends [never] ? [] : [facts: Readonly<Record<Placeholder<Text>, string>>];

/** A text of the email with its facts, in the published wording. */
export type Say<Kind extends WordedKind> = Kind extends WordedKind
  ? <Name extends keyof TextsOf<Kind>>(name: Name, ...facts: FactsIn<TextOf<TextsOf<Kind>[Name]>>) => string
  : never;

/** @param texts the published ones; absent: the built-in ones */
export function sayFor(kind: string, texts: EmailTexts = originalTexts(kind)) {
  return (name: string, facts: Readonly<Record<string, string>> = {}) => fillText(texts[name] ?? "", facts);
}
