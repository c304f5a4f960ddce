import { spawn } from "node:child_process";
import { once } from "node:events";
import { Webhook as Signer } from "standardwebhooks";
import { expect, test } from "vitest";
import { freePort } from "#test/free-port.ts";
import { until } from "#test/until.ts";
import { callsAt, receiver } from "./example-code.ts";

test("the receiver of the example accepts what is signed, and nothing changed or old", async () => {
  const port = await freePort();
  const secret = `whsec_${Buffer.from("a secret of the example").toString("base64")}`;
  const code = receiver.replace("4000", String(port)).replace("whsec_…", secret);
  const running = spawn(process.execPath, ["--input-type=module", "-e", code], {
    stdio: "ignore",
  });
  const post = async (body: string, headers: Record<string, string> = {}) =>
    (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body, headers })).status;
  const signed = (body: string, at = new Date()) => ({
    "webhook-id": "one",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": `v1,other ${new Signer(secret).sign("one", at, body)}`,
  });
  try {
    await until(() => post("{}").catch(() => 0));
    const body = JSON.stringify({ type: "test" });
    expect(await post(body, signed(body))).toBe(204);
    expect(await post(`${body} `, signed(body))).toBe(401);
    expect(await post(body, signed(body, new Date(Date.now() - 600_000)))).toBe(401);
    expect(await post(body)).toBe(401);
  } finally {
    running.kill();
    await once(running, "exit");
  }
});

test("the commands of the example name the academy's own address", () => {
  expect(callsAt("https://learn.example.test")).toMatchInlineSnapshot(`
    "TOKEN="acad_…"

    # Students who match a search: read:people
    curl "https://learn.example.test/api/admin/users?search=ada&limit=10" \\
      -H "Authorization: Bearer $TOKEN"

    # All students as a file: read:people
    curl "https://learn.example.test/api/admin/exports/users.csv" \\
      -H "Authorization: Bearer $TOKEN" \\
      -H "Content-Type: application/json" \\
      -d '{"filter": {}}' -o students.csv

    # Give lifetime access, once per order: write:grants
    curl "https://learn.example.test/api/admin/grants" \\
      -H "Authorization: Bearer $TOKEN" \\
      -H "Content-Type: application/json" \\
      -H "Idempotency-Key: order-1001" \\
      -d '{"email":"ada@example.com","tier":"premium","until":null,"reason":"Bought a bundle"}'"
  `);
});
