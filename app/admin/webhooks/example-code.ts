import { exportUrl } from "#contract/admin/admin.ts";
import { grantAccess } from "#contract/admin/grants.ts";
import { listUsers } from "#contract/admin/users.ts";

const call = (address: string, ...lines: readonly string[]) =>
  [`curl "${address}"`, '-H "Authorization: Bearer $TOKEN"', ...lines].join(" \\\n  ");
const json = '-H "Content-Type: application/json"';

/** Commands by which a tool reads, downloads and gives access at this address. */
export function callsAt(origin: string): string {
  const gift = { email: "ada@example.com", tier: "premium", until: null, reason: "Bought a bundle" };
  return [
    'TOKEN="acad_…"',
    `# Students who match a search: read:people\n${call(`${origin}${listUsers.path}?search=ada&limit=10`)}`,
    `# All students as a file: read:people\n${call(`${origin}${exportUrl("users", "csv")}`, json, `-d '{"filter": {}}' -o students.csv`)}`,
    `# Give lifetime access, once per order: write:grants\n${call(`${origin}${grantAccess.path}`, json, '-H "Idempotency-Key: order-1001"', `-d '${JSON.stringify(gift)}'`)}`,
  ].join("\n\n");
}

/** A receiver of webhooks, which checks the signature and the time. */
export const receiver = `import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const secret = "whsec_…";
const key = Buffer.from(secret.replace("whsec_", ""), "base64");
createServer(async (request, response) => {
  const body = await text(request);
  const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signatures = "" } = request.headers;
  const ours = Buffer.from("v1," + createHmac("sha256", key).update(\`\${id}.\${time}.\${body}\`).digest("base64"));
  const isSigned = signatures.split(" ").map((one) => Buffer.from(one))
    .some((one) => one.length === ours.length && timingSafeEqual(one, ours));
  const isGenuine = isSigned && Math.abs(Date.now() / 1000 - Number(time)) < 300;
  response.writeHead(isGenuine ? 204 : 401).end();
  if (isGenuine) console.log(id, JSON.parse(body)); // The same id may come twice.
}).listen(4000);
`;
