process.env.COUPON_BUYERS ??= "500";
await import("./concurrent-buyers.integration.test.ts");
