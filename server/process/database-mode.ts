import type pg from "pg";
import { demoAccounts } from "#content/demo-accounts.ts";
import { OperatorError } from "#server/base/operator-error.ts";

type Mode = "demo" | "production";

type Queried = Pick<pg.Client, "query">;

/** The message tells the operator why. */
class WrongDatabase extends OperatorError {
  override name = "WrongDatabase";
}

const modeKey = "mode";
const seededKey = "demo-seeded";

/**
 * Only reads, so that it can run before the migrations.
 * @throws WrongDatabase when the database is of the other mode
 */
export async function requireDatabaseOf(pool: Queried, mode: Mode): Promise<void> {
  const owner = await modeOf(pool);
  if (owner !== null && owner !== mode) throw new WrongDatabase(sentences[mode]);
}

/** Marks the database for this mode, for good. Needs the schema. @throws WrongDatabase. */
export async function claimDatabase(pool: Queried, mode: Mode): Promise<void> {
  await pool.query(
    "insert into operational_marks (name, value, updated_at) values ($1, to_json($2::text), now()) on conflict (name) do nothing",
    [modeKey, mode],
  );
  // Another node may have marked it meanwhile.
  await requireDatabaseOf(pool, mode);
}

/** Whether an academy has started on the database. */
export async function isClaimed(pool: Queried): Promise<boolean> {
  return (await modeOf(pool)) !== null;
}

const sentences: Readonly<Record<Mode, string>> = {
  production:
    "The database holds a demo, whose people have a password that everybody knows: give production a database of its own.",
  demo: "The database is a production academy's, and a demo would open it to everybody: set MODE=production, or another DATABASE_URL or DATA_DIR.",
};

async function modeOf(pool: Queried): Promise<Mode | null> {
  // Databases from before the first release have their mode among the settings. Nobody may take one for a demo.
  for (const table of ["operational_marks", "settings"]) {
    if (!(await has(pool, table))) continue;
    const { rows } = await pool.query<{ name: string; value: unknown }>(
      `select name, value from ${table} where name = any($1)`,
      [[modeKey, seededKey]],
    );
    if (rows.some(({ name }) => name === seededKey)) return "demo";
    const marked = rows.find(({ name }) => name === modeKey)?.value;
    if (marked === "demo" || marked === "production") return marked;
  }
  // A demo that was killed during its seed has accounts and no mark.
  const subjects = demoAccounts.map(({ subject }) => subject);
  for (const table of ["identities", "issuer.accounts"] as const) {
    if (!(await has(pool, table))) continue;
    const found = await pool.query(`select 1 from ${table} where subject = any($1) limit 1`, [subjects]);
    if (found.rows.length > 0) return "demo";
  }
  return null;
}

async function has(pool: Queried, table: string): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>("select to_regclass($1) is not null as found", [table]);
  return rows[0]?.found ?? false;
}
