import { ApiError } from "#app/api/api.ts";

/** Whether the server wants to know once more who is there. */
export function isSignInAgain(error: unknown): boolean {
  return error instanceof ApiError && error.problem?.code === "sign-in-again";
}
