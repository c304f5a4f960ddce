import { randomUUID } from "node:crypto";
import type pg from "pg";
import { demoAccounts } from "#content/demo-accounts.ts";
import { openDb } from "#server/db/db.ts";
import { signInDirectly } from "#server/identity/sessions/sessions.ts";
import { builtInIssuer, findUserByEmail, listIdentitiesOf } from "#server/identity/users.ts";
import { shareDataDir } from "#server/process/data-dir.ts";
import type { DirectSignIn } from "./visitor.ts";

interface Settings {
  /** The current connections to the academy's database. */
  pool(): pg.Pool;
  readonly publicUrl: string;
  readonly dataDir: string;
  /** SESSION_SECRET and ADMIN_EMAILS of the academy. */
  readonly secrets: string | undefined;
  readonly administrators: string | undefined;
  /** The academy's time in milliseconds. */
  now(): Promise<number>;
}

/** Signs people in by rows: those who have them as who they are, everybody else as a new student, Jo Vendor. */
export function signInByRows(settings: Settings): DirectSignIn {
  const administratorEmails = (settings.administrators ?? "admin@academy.test").split(",");
  return async (email) => {
    const db = openDb(settings.pool() as Parameters<typeof openDb>[0]);
    const [secret = ""] = settings.secrets?.split(",") ?? [shareDataDir(settings.dataDir).secret("session")];
    const now = new Date(await settings.now());
    const clock = { now: () => now, onMove() {} };
    const ctx = { db, clock, administratorEmails, site: { publicUrl: settings.publicUrl } };
    const user = await findUserByEmail(db, email.toLowerCase());
    const [identity] = user ? await listIdentitiesOf(db, user.id) : [];
    const demo = demoAccounts.find((account) => account.email === email);
    const { name, value } = await signInDirectly(
      ctx,
      {
        ...(identity ?? { issuer: builtInIssuer, subject: demo?.subject ?? randomUUID() }),
        email,
        emailVerified: user?.emailVerified ?? demo !== undefined,
        emailVerifiedAt: user?.emailVerifiedAt ?? null,
        firstName: demo?.firstName ?? "Jo",
        lastName: demo?.lastName ?? "Vendor",
      },
      secret,
    );
    return { name, value: encodeURIComponent(value) };
  };
}
