import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { readConfig } from "#server/context/config.ts";
import { openDb, openPool } from "#server/db/db.ts";
import { cannotUse } from "#server/db/unavailable.ts";
import { adviceFor } from "#server/reconciliation/kinds.ts";
import { describeReconciliation, requestReconciliation } from "#server/reconciliation/reconciliation.ts";

// Asks the academy that runs on this database to compare its books with the gateway's, and prints what it found.
// Exit code 0: the books agree; 2: there are open discrepancies; 1: it could not be found out.
const config = readConfig(process.env);
const pool = openPool(
  config.databaseUrl
    ? { connectionString: config.databaseUrl }
    : { host: join(config.dataDir, "postgres"), user: "academy", database: "postgres" },
  () => {},
  1,
);
const db = openDb(pool);
const read = () => describeReconciliation(db, { state: "open", limit: 200 }, new Date());

try {
  const before = await read();
  await requestReconciliation(db);
  let books = before;
  for (let waited = 0; books.lastRunAt === before.lastRunAt && waited < 120; waited++) {
    await wait(500);
    books = await read();
  }
  const open = books.total ?? 0;
  if (books.lastRunAt === before.lastRunAt) console.error("No academy took the job within a minute. Is it running?");
  else if (books.lastError) console.error(`The gateway could not be asked: ${books.lastError}`);
  else console.log(`${books.checked} transactions compared, ${open} open discrepancies.`);
  for (const { kind, sentence } of books.rows) console.log(`${sentence} ${adviceFor(kind)}`);
  const others = open - books.rows.length;
  if (others > 0) console.log(`And ${others} more: see /admin/reconciliation.`);
  const failed = books.lastRunAt === before.lastRunAt || books.lastError !== null;
  process.exitCode = failed ? 1 : open > 0 ? 2 : 0;
} catch (error) {
  console.error(cannotUse(error).message);
  process.exitCode = 1;
} finally {
  await pool.end();
}
