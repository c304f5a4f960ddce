import { randomInt } from "node:crypto";

// The test's name has its seed, which SUBSCRIPTION_SEED repeats.
process.env.SUBSCRIPTION_STEPS ??= "1000";
process.env.SUBSCRIPTION_SEED ??= String(randomInt(2 ** 31));
await import("./model.integration.test.ts");
