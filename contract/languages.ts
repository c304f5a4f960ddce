/** The language of captions whose author named none. */
export const defaultLanguage = "en";

/** Whether it is the usual spelling of the tag of a language that has a name, such as `en` or `pt-BR`. */
export function isLanguage(tag: string): boolean {
  try {
    const names = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
    return Intl.getCanonicalLocales(tag)[0] === tag && names.of(tag) !== undefined;
  } catch {
    return false;
  }
}

/** The language's name in English, or in the language itself, such as “Español”. */
export function languageName(tag: string, language = "en"): string {
  const name = new Intl.DisplayNames([language, "en"], { type: "language" }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}
