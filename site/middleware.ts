import type { MiddlewareHandler } from "astro";

/** In development, renders pages like the academy does. Built pages receive their content as `locals`. */
export const onRequest: MiddlewareHandler = async (context, next) => {
  if (!import.meta.env.DEV) return next();
  const { answerAsAcademy } = await import("./dev.ts");
  return answerAsAcademy(context, next);
};
