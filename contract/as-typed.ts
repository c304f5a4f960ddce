/**
 * Text as a keyboard would give it. Pasted text can have invisible characters, digits of other scripts, and hyphens and
 * spaces that do not break.
 */
export function asTyped(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/(?![\u200c\u200d])\p{Cf}/gu, "")
    .replace(/[\p{Pd}\u2212]/gu, "-")
    .replace(/\p{Zs}/gu, " ")
    .replace(/\p{Nd}/gu, asciiDigit);
}

/** Unicode has the ten digits of a script in a row. */
function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(point - value - 1))) value++;
  return String(value);
}
