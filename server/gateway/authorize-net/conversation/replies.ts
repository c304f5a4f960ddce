// Replies vary: numbers where the reference says strings, one object for a list, members missing. Nothing here throws.

/** Some replies come wrapped. Null when it is no JSON object. */
export function replyOf(text: string): Record<string, unknown> | null {
  try {
    const content: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    if (typeof content !== "object" || content === null || Array.isArray(content)) return null;
    const [only, ...others] = Object.entries(content);
    if (only && others.length === 0 && only[0].endsWith("Response")) return objectOf(only[1]);
    return content as Record<string, unknown>;
  } catch {
    return null;
  }
}

export function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  return value as Record<string, unknown>;
}

export function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

export function textOf(value: unknown): string | null {
  if (typeof value !== "string" && typeof value !== "number") return null;
  return String(value).trim() || null;
}

export function numberOf(value: unknown): number | null {
  const text = textOf(value);
  const number = Number(text);
  return text !== null && Number.isFinite(number) ? number : null;
}

/** They judge the request, not the card. */
export function messageCodesOf(reply: Record<string, unknown>): string[] {
  const messages = listOf(objectOf(reply.messages).message);
  return messages.flatMap((message) => textOf(objectOf(message).code) ?? []);
}

/** Without the values that it repeats: they are somebody's data. */
export function loggableText(reply: Record<string, unknown>): string {
  const messages = listOf(objectOf(reply.messages).message);
  const texts = messages.map((message) => textOf(objectOf(message).text) ?? "");
  return texts
    .join(" ")
    .replace(/The value '.*' is/gs, "The value is")
    .replace(/The string '.*' is/gs, "The string is")
    .slice(0, 500);
}
