import { randomInt } from "node:crypto";

// The name of the test says which walk it was: MEMBERSHIP_SEED takes it again.
process.env.MEMBERSHIP_STEPS ??= "1000";
process.env.MEMBERSHIP_SEED ??= String(randomInt(2 ** 31));
await import("./model.integration.test.ts");
