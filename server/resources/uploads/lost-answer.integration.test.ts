import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import type { Resource } from "#contract/resources.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { cloneDatabase } from "#test/postgres.ts";
import { openFaultProxy } from "#test/stand-ins/fault-proxy.ts";
import { until } from "#test/until.ts";
import { samples, upload } from "#test/uploads/uploads.ts";

test("files stay when the commit of their rows succeeded and its answer was lost", async () => {
  const database = await cloneDatabase();
  const direct = new pg.Client(database.connection);
  await direct.connect();
  const { host, user, password } = direct;
  const network = await openFaultProxy(
    host.startsWith("/") ? { path: `${host}/.s.PGSQL.${direct.port}` } : { host, port: direct.port },
  );
  onTestFinished(async () => {
    await network[Symbol.asyncDispose]();
    await direct.end();
    await database.drop();
  });
  const secret = password ? `:${encodeURIComponent(password)}` : "";
  const DATABASE_URL = `postgres://${user}${secret}@127.0.0.1:${network.port}/${database.name}`;
  await using academy = await openAcademyInProcess({ DATABASE_URL }, database);
  const admin = await academy.visitor().signInAsDemo("admin@academy.test");

  // Delays the commit until the test lets it continue.
  await direct.query(`create function wait() returns trigger language plpgsql as $$ begin
      perform set_config('lock_timeout', '0', true);
      perform pg_advisory_lock(1);
      return null;
    end $$;
    create constraint trigger wait after insert on course_resources deferrable initially deferred
      for each row execute function wait();
    select pg_advisory_lock(1)`);
  const uploading = upload(admin, [{ name: "plan.pdf", content: samples.pdf }], { title: "Kept all the same" }).catch(
    (error: Error) => error,
  );
  await until(async () => {
    const { rowCount } = await direct.query(
      "select from pg_locks where locktype = 'advisory' and objid = 1 and not granted and database = (select oid from pg_database where datname = current_database())",
    );
    return rowCount === 1;
  });
  network.cut();
  network.heal();
  expect(await uploading).toBeInstanceOf(Error);
  await direct.query("select pg_advisory_unlock(1)");

  const kept = await until(async () => {
    const all = (await (await admin.send("GET", "/api/resources")).json()) as Resource[];
    return all.find(({ title }) => title === "Kept all the same");
  });
  const file = await admin.send("GET", kept.fileUrl ?? "");
  expect(file.status).toBe(200);
  expect(Buffer.from(await file.arrayBuffer()).equals(samples.pdf)).toBe(true);
});
