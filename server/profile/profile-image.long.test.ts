process.env.HOSTILE_PICTURES ??= "all";
await import("./profile-image.integration.test.ts");
