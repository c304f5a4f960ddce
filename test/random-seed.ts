import fc from "fast-check";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Where what tests leave to chance begins. */
    seed: number;
  }
}

fc.configureGlobal({ seed: inject("seed") });
