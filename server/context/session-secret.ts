export const minSecretLength = 32;

/** 32 random hexadecimal digits practically never have fewer distinct ones. */
const fewestCharacters = 8;

const placeholder = /change.?(me|this|it)|replace.?(me|this|it|with)|your.{0,12}secret|placeholder|insert.{0,5}secret/i;

/** The end of a sentence that begins with the variable's name; null when no weakness is found. */
export function weaknessOf(secret: string): string | null {
  if (placeholder.test(secret)) return "is the text of an example";
  if (new Set(secret).size < fewestCharacters) return "has too few different characters";
  if (repeats(secret)) return "is one short text again and again";
  if (counts(secret)) return "counts through the alphabet or the digits";
  return null;
}

function repeats(secret: string): boolean {
  for (let length = 1; length <= secret.length / 2; length++) {
    if (
      secret
        .slice(0, length)
        .repeat(Math.ceil(secret.length / length))
        .startsWith(secret)
    )
      return true;
  }
  return false;
}

function counts(secret: string): boolean {
  const steps = [...secret].slice(1).filter((character, at) => {
    const step = character.charCodeAt(0) - secret.charCodeAt(at);
    return Math.abs(step) <= 1;
  });
  return steps.length > secret.length * 0.6;
}
