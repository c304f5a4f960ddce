import { ApiError } from "#app/api/api.ts";

/** Whether the server requires a recent sign-in. */
export function isSignInAgain(error: unknown): boolean {
  return error instanceof ApiError && error.problem?.code === "sign-in-again";
}
