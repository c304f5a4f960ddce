process.env.WAVE ??= "2000";
await import("./simultaneous-renewals.integration.test.ts");
