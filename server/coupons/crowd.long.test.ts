process.env.COUPON_BUYERS ??= "500";
await import("./crowd.integration.test.ts");
