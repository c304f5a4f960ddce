import type { MiddlewareHandler } from "astro";

/** While pages are worked on they are answered as an academy would; once built, they are given what they say. */
export const onRequest: MiddlewareHandler = async (context, next) => {
  if (!import.meta.env.DEV) return next();
  const { answerAsAcademy } = await import("./dev.ts");
  return answerAsAcademy(context, next);
};
