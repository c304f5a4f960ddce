import fc from "fast-check";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** The seed of random tests. */
    seed: number;
  }
}

fc.configureGlobal({ seed: inject("seed") });
