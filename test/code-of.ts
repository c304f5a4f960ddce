/** The code of the refusal that this throws, or else what it returns. */
export function codeOf<T>(act: () => T): T | string {
  try {
    return act();
  } catch (error) {
    return (error as { code: string }).code;
  }
}
