export function showProgress(
  what: string,
  howFar: () => string,
  out?: { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown },
): { stop(): void; end(sentence: string): void };
