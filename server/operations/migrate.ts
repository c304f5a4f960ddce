import pg from "pg";
import type { Config } from "#server/context/config.ts";
import { migrate, openPool } from "#server/db/db.ts";
import { cannotConnect, connectDatabase, OperationRefused } from "./connect-database.ts";

/**
 * Applies the migrations as the database's owner, and grants the role of DATABASE_URL all rows but no change of
 * append-only ones.
 * @param say told who keeps it from beginning
 * @throws OperationRefused.
 */
export async function migrateAsOwner(
  config: Config,
  say: (sentence: string) => void,
): Promise<{ applied: number; role: string | null }> {
  const { migrationDatabaseUrl, databaseUrl } = config;
  if (migrationDatabaseUrl && !databaseUrl) {
    throw new OperationRefused("MIGRATION_DATABASE_URL names the owner of a database: set DATABASE_URL too.");
  }
  const database = await connectDatabase({ ...config, databaseUrl: migrationDatabaseUrl ?? databaseUrl });
  const pool = openPool(database.connection, () => {}, 1);
  try {
    await pool.query("select 1").catch(cannotConnect);
    const applied = await migrate(pool, { say });
    const role = await roleOf(config);
    if (role) await grantServing(pool, role);
    return { applied, role };
  } finally {
    await pool.end();
    await database.close();
  }
}

async function roleOf({ migrationDatabaseUrl, databaseUrl }: Config): Promise<string | null> {
  if (!migrationDatabaseUrl || !databaseUrl) return null;
  const [owner, server] = await Promise.all([migrationDatabaseUrl, databaseUrl].map(currentUser));
  return owner === server ? null : (server ?? null);
}

async function currentUser(connectionString: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString, application_name: "academy db:migrate" });
  client.on("error", () => {}); // A connection that breaks between two queries fails the next one.
  await client.connect().catch(cannotConnect);
  const { rows } = await client.query<{ it: string }>("select current_user as it").finally(() => client.end());
  return rows[0]?.it;
}

async function grantServing(pool: pg.Pool, role: string): Promise<void> {
  // Only our schemas: hosting providers keep others beside them, in some of which a row is a command to run.
  const { rows: schemas } = await pool.query<{ name: string }>(`
    select quote_ident(nspname) as name from pg_namespace
    where nspname in ('public', 'issuer')`);
  const { rows: appendOnly } = await pool.query<{ name: string }>(`
    select tgrelid::regclass::text as name from pg_trigger where tgname = 'append_only'`);
  const to = pg.escapeIdentifier(role);
  const statements = schemas.flatMap(({ name }) => [
    `revoke create on schema ${name} from public, ${to}`,
    `grant usage on schema ${name} to ${to}`,
    `revoke all on all tables in schema ${name} from ${to}`,
    `grant select, insert, update, delete on all tables in schema ${name} to ${to}`,
    `grant usage on all sequences in schema ${name} to ${to}`,
  ]);
  const client = await pool.connect();
  try {
    await client.query(
      [
        "begin",
        ...statements,
        ...appendOnly.map(({ name }) => `revoke update, delete on ${name} from ${to}`),
        `grant usage on schema drizzle to ${to}`,
        `grant select on all tables in schema drizzle to ${to}`,
        "commit",
      ].join(";\n"),
    );
  } finally {
    client.release();
  }
}
