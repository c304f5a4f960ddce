import { Refusal } from "#server/base/refusal.ts";

const noRoom = new Set(["ENOSPC", "EDQUOT"]);

export function storageRefusal(error: unknown): Error {
  if (error instanceof Refusal) return error;
  if (noRoom.has((error as NodeJS.ErrnoException).code ?? "")) {
    return new Refusal("storage-full", "There’s no space left for files. Nothing was stored.");
  }
  return Object.assign(
    new Refusal("unavailable", "We can’t reach the file storage. Please try again in a moment.", {
      retryAfterSeconds: 10,
    }),
    { cause: error },
  );
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
