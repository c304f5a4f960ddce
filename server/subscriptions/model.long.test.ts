import { randomInt } from "node:crypto";

// The name of the test says which walk it was: SUBSCRIPTION_SEED takes it again.
process.env.SUBSCRIPTION_STEPS ??= "1000";
process.env.SUBSCRIPTION_SEED ??= String(randomInt(2 ** 31));
await import("./model.integration.test.ts");
