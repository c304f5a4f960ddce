import { spawn } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type pg from "pg";
import sharp from "sharp";
import { expect } from "vitest";
import { ZipFile } from "yazl";
import { offer } from "#content/offer.ts";
import { updateProfile } from "#contract/profile.ts";
import { readConfig } from "#server/context/config.ts";
import { addressOf } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { academyOfFile, databaseOfFile } from "#test/fixtures.ts";
import { waitingAs, whileLocked } from "#test/locks.ts";
import { environmentOf, operate } from "#test/operate.ts";
import { createEmptyDatabase } from "#test/postgres.ts";
import { productionEnv } from "#test/production-env.ts";
import { programEnv } from "#test/program-env.ts";
import { folderOfFile } from "#test/temporary-folder.ts";
import { until } from "#test/until.ts";
import { unzip } from "#test/unzip.ts";
import { addUploadedVideo } from "#test/uploaded-video.ts";
import { type ExportManifest, exportAcademy } from "./export.ts";
import { importContent } from "./import-content.ts";

const { academy, test } = await academyOfFile();
const folder = folderOfFile();
const file = join(folder, "academy.zip");
const env = environmentOf(academy);
const agreed = async () => true;
/** As the academy is before these tests change it. */
const plain = join(folder, "plain.zip");
await exportAcademy(readConfig(env), plain, "1.2.3");

const filesIn = (archive: string) => unzip(readFileSync(archive));
const manifestOf = (archive: string) =>
  JSON.parse(filesIn(archive).get("manifest.json")?.toString() ?? "") as ExportManifest;
/** The catalogue, pictures and files of the course. */
const contentOf = (archive: string) =>
  Object.fromEntries(
    Array.from(filesIn(archive))
      .filter(([name]) => /^(catalogue|pictures|files\/(resources|posters|videos))\//.test(name))
      .map(([name, bytes]) => [name, name.endsWith(".json") ? JSON.parse(bytes.toString()) : hash("sha256", bytes)]),
  );

test("an export of a running academy has all rows of one instant and no secret [N27]", async ({ student }) => {
  const formula = "=HYPERLINK(1)";
  const profile = { firstName: formula, lastName: "Leaver", phone: "", location: "" };
  await academy.pool.query(
    "insert into webhook_endpoints (id, url, events, created_at) values ('hook', 'https://example.test/key', '{}', now())",
  );
  let [written, isWriting] = [0, true];
  const writer = (async () => {
    for (; isWriting; written++) await student.call(updateProfile, { body: { ...profile, bio: `note ${written}` } });
  })();
  await until(async () => written >= 3);
  const done = await operate(["export", file], env);
  isWriting = false;
  await writer;
  expect(done.failed).toBe("");
  expect(done.said).toMatch(
    /academy\.zip: [\d.]+ MB, \d+ rows, \d+ files\. It contains personal data: store it safely\.$/,
  );
  expect(done.code).toBe(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const files = filesIn(file);
  const manifest = manifestOf(file);
  expect(manifest.missing).toEqual([]);
  expect(Array.from(files.keys()).toSorted()).toEqual(
    [...manifest.files.map(({ name }) => name), "manifest.json"].toSorted(),
  );
  for (const { name, sha256 } of manifest.files) {
    expect(hash("sha256", files.get(name) ?? ""), name).toBe(sha256);
  }
  const rowsOf = new Map(manifest.tables.map(({ name, rows }) => [name, rows]));
  for (const table of ["lessons", "purchases", "course_progress", "grants", "payment_attempts", "bookings"]) {
    const { rows } = await academy.pool.query<{ count: number }>(`select count(*)::int as count from ${table}`);
    expect(rowsOf.get(table), table).toBe(rows[0]?.count);
    expect(rowsOf.get(table), table).toBeGreaterThan(0);
  }
  const people = files.get("people/people.csv")?.toString() ?? "";
  expect(people).toMatch(/^\uFEFFid,email,/);
  expect(people).toContain(`'${formula}`);
  expect(files.get("money/payments.csv")?.toString()).toMatch(/,49\.00,approved,/);

  const everything = Buffer.concat(Array.from(files.values())).toString("latin1");
  const { rows: columns } = await academy.pool.query<{ table: string; name: string }>(`
    select format('%I.%I', table_schema, table_name) as table, quote_ident(column_name) as name
    from information_schema.columns where table_schema in ('public', 'issuer') and table_name <> 'purchases_with_subscriptions'
      and (column_name ~ 'hash|token|secret|sealed|password|payload|_profile_id|network_|idempotency|meeting_url'
        or column_name in ('sid', 'room') or (table_name, column_name) = ('webhook_endpoints', 'url')) and (table_name, column_name) <> ('audit_log', 'token')`);
  // In the audit log it is a token's name.
  let secrets = 0;
  for (const { table, name } of columns) {
    const { rows } = await academy.pool.query<{ value: string }>(
      `select distinct ${name}::text as value from ${table} where length(${name}::text) > 7`,
    );
    for (const { value } of rows) expect(everything.includes(value), `${table}.${name}`).toBe(false);
    secrets += rows.length;
  }
  expect(secrets).toBeGreaterThan(20);
});

test("content is the same after an import into an empty academy, which then serves it [N28]", async () => {
  const red = sharp({ create: { width: 60, height: 60, channels: 3, background: "#c81e1e" } });
  const png = await red.png().toBuffer();
  const id = `${hash("sha256", png).slice(0, 32)}-60x60`;
  await academy.pool.query("insert into pictures (id, png, created_at) values ($1, $2, now())", [id, png]);
  await academy.pool.query("update lessons set title = 'Ours “now”', updated_at = now() where id = 'lesson-1-1'");
  const { videoId } = await addUploadedVideo(academy, { lessonId: "lesson-1-2" });
  const source = join(folder, "source.zip");
  await exportAcademy(readConfig(env), source, "1.2.3");
  const before = contentOf(source);
  expect(Object.keys(before)).toContain(`pictures/${id}.png`);
  expect(Object.keys(before).filter((name) => name.startsWith("files/resources/"))).toHaveLength(5);
  expect(Object.keys(before).filter((name) => name.startsWith("files/videos/"))).toHaveLength(2);
  expect(before["catalogue/captions.json"].length).toBeGreaterThan(5);

  const { database, pool } = await databaseOfFile(createEmptyDatabase());
  const empty = { DATA_DIR: join(folder, "empty"), DATABASE_URL: addressOf(database) };
  const refused = await operate(["import-content", source], empty);
  expect(refused.failed).toBe(
    "Nothing was changed, as nobody can be asked: npm run import-content -- FILE --yes does it.",
  );
  const light = join(folder, "light.zip");
  await exportAcademy(readConfig(env), light, "1.2.3", { withoutVideos: true });
  expect((await importContent(readConfig(empty), light, agreed))?.missing).toEqual(["lesson.mov"]);
  const { rows: shown } = await pool.query("select from lessons where video_id = $1", [videoId]);
  expect(shown).toHaveLength(1);

  const done = await operate(["import-content", source, "--yes"], empty);
  expect(done.failed).toBe("");
  expect(done.said).toContain("Imported. People and payments are never imported.");
  const again = join(folder, "again.zip");
  await exportAcademy(readConfig(empty), again, "1.2.3");
  expect(contentOf(again)).toEqual(before);
  const { rows } = await pool.query("select from users union all select from purchases union all select from grants");
  expect(rows).toEqual([]);
  await using opened = await openAcademyInProcess({ ...productionEnv, ...empty }, database);
  const shows = async () =>
    (await opened.inject({ url: "/api/catalogue", headers: { host: "academy.example" } })).body.includes("Ours “now”");
  expect(await shows()).toBe(true);
  expect((await importContent(readConfig(empty), plain, agreed))?.missing).toEqual([]);
  await until(async () => !(await shows()));
});

test("an import is refused where somebody has bought, and changes nothing [N28]", async () => {
  await expect(importContent(readConfig(env), plain, agreed)).rejects.toThrow(
    /^People have bought a plan here: import into an empty academy/,
  );
});

/** An academy without content. */
async function emptyAcademy(name: string) {
  const { database, pool } = await databaseOfFile();
  const config = readConfig({ DATA_DIR: join(folder, name), DATABASE_URL: addressOf(database) });
  return { database, pool, config };
}

test("an import waits for whoever is buying, and is refused when that takes long [N28]", async () => {
  const { config, pool } = await emptyAcademy("busy");
  for (const table of ["purchases", "grants", "course_progress", "resource_downloads"]) {
    const buyer = await pool.connect();
    await buyer.query("begin");
    await buyer.query(`lock table ${table} in row exclusive mode`);
    await expect(importContent(config, plain, agreed), table).rejects.toThrow(/^Somebody is using the academy/);
    await buyer.query("rollback");
    buyer.release();
  }
  expect(await importContent(config, plain, agreed)).toMatchObject({ missing: [] });
}, 60_000);

test("a catalogue of many parts is imported as it was, and schedules openings and the end of an offer", async () => {
  const [opensAt, endsAt] = ["2998-01-01T00:00:00.000Z", "2999-01-01T00:00:00.000Z"];
  const [origin, target] = [await emptyAcademy("origin"), await emptyAcademy("parts")];
  await importContent(origin.config, plain, agreed);
  await origin.pool.query("update lessons set opens_at = $1 where id = 'lesson-1-2'", [opensAt]);
  await origin.pool.query("insert into settings (name, value, updated_at) values ('offer', $1, now())", [
    { ...offer, enabled: true, countdown: { kind: "until", endsAt } },
  ]);
  // With line separators inside texts.
  await origin.pool.query(`insert into lesson_cues (lesson_id, position, language, starts_at, ends_at, text)
    select id, n, 'en', n, n + 1, e'[],\\n\\u2028"' || repeat('ü', 1000 + n % 7)
      from lessons, generate_series(1000, 1300) n where kind = 'video'`);
  const cues = async ({ pool }: typeof origin) =>
    (
      await pool.query(
        "select count(*), md5(string_agg(position || text, '' order by lesson_id, position)) from lesson_cues",
      )
    ).rows;
  const source = join(folder, "parts.zip");
  const { files } = await exportAcademy(origin.config, source, "1.2.3");
  expect(files.find(({ name }) => name === "catalogue/captions.json")?.size).toBeGreaterThan(3 * 1024 ** 2);
  await importContent(target.config, source, agreed);
  expect(await cues(target)).toEqual(await cues(origin));

  const { rows } = await target.pool.query("select name, key from jobs where name in ('mail-openings', 'end-offer')");
  expect(rows).toContainEqual({ name: "mail-openings", key: opensAt });
  expect(rows).toContainEqual({ name: "end-offer", key: endsAt });
  const { rows: prices } = await target.pool.query("select from plan_prices where starts_at = $1", [endsAt]);
  expect(prices.length).toBeGreaterThan(0);
});

test("an import is refused while a group session has a recording that the archive lacks [N28]", async () => {
  const { config, pool } = await emptyAcademy("recorded");
  await pool.query(`
    insert into users (id, email, created_at, updated_at) values ('coach', 'coach@example.test', now(), now());
    insert into coaches (user_id, display_name, time_zone, created_at, updated_at) values ('coach', 'C', 'UTC', now(), now());
    insert into live_sessions (id, title, about, coach_id, starts_at, ends_at, required_tier, room, recording_video_id, created_at)
      values ('live', 'Office hours', '', 'coach', now(), now() + interval '1 hour', 'basic', 'r', 'own:recording', now())`);
  await expect(importContent(config, plain, agreed)).rejects.toThrow(
    /^The archive doesn't have the recording of the group session “Office hours”/,
  );
  await pool.query("update live_sessions set recording_video_id = 'youtube:dQw4w9WgXcQ'");
  expect(await importContent(config, plain, agreed)).toMatchObject({ missing: [] });
});

test("an import whose connection ends half way changes nothing, and can be repeated [N28]", async () => {
  const { pool, config } = await emptyAcademy("half");
  await pool.query("insert into settings (name, value, updated_at) values ('copy:faq', '{}', now())");
  // Triggers raise the version with the first change of content.
  await whileLocked(pool, "select from content_version for update", [], async () => {
    const importing = importContent(config, plain, agreed).catch((error: Error) => error);
    await pool.query("select pg_terminate_backend($1)", [await waitingAs(pool, "academy import-content")]);
    expect(await importing).toBeInstanceOf(Error);
  });
  const namesIn = async () => (await pool.query("select name from settings")).rows.map(({ name }) => name);
  expect(await namesIn()).toEqual(["copy:faq"]);
  expect((await importContent(config, plain, agreed))?.missing).toEqual([]);
  expect(await namesIn()).not.toContain("copy:faq");
});

test("an export overwrites nothing unasked, leaves no half file when killed, and says what is wrong", async () => {
  const target = join(folder, "killed", "academy.zip");
  const said = async (args: string[], change = {}) => (await operate(args, { ...env, ...change })).failed;
  expect(await said(["export", target])).toMatch(/^There is no folder .*killed\.$/);
  const kept = join(folder, "kept.zip");
  writeFileSync(kept, "mine");
  expect(await said(["export", kept])).toMatch(/exists already: name another file, or replace it with --force\.$/);
  expect(readFileSync(kept, "utf8")).toBe("mine");
  expect(await said(["export", join(folder, "none.zip")], { DATABASE_URL: "postgres://127.0.0.1:9/none" })).toMatch(
    /^The database cannot be used\. [^\n]+$/,
  );
  const interrupted = AbortSignal.abort(new Error("Interrupted"));
  const stopping = exportAcademy(readConfig(env), join(folder, "none.zip"), "1.2.3", { signal: interrupted });
  await expect(stopping).rejects.toThrow("Interrupted");
  expect((await readdir(folder)).filter((name) => name.startsWith("none"))).toEqual([]);

  await whileLocked(academy.pool, "lock table course_progress in access exclusive mode", [], async () => {
    const args = ["scripts/operate.ts", "export", kept, "--force"];
    const child = spawn(process.execPath, args, { env: { ...programEnv, ...env } });
    const exit = once(child, "exit");
    await waitingAs(academy.pool, "academy export");
    child.kill("SIGKILL");
    expect(await exit).toEqual([null, "SIGKILL"]);
  });
  expect(readFileSync(kept, "utf8")).toBe("mine");
  expect((await readdir(folder)).filter((name) => name.startsWith("kept.zip.unfinished-"))).toHaveLength(1);
  await exportAcademy(readConfig(env), kept, "1.2.3", { overwrites: true, withoutVideos: true });
  expect(manifestOf(kept)).toMatchObject({ withoutVideos: true, format: 1 });
});

test("an export holds no transaction while it copies files", async () => {
  const query = `select from pg_stat_activity
    where datname = current_database() and application_name = 'academy export' and xact_start is not null`;
  const found: Promise<pg.QueryResult>[] = [];
  const say = (name: string) => name.startsWith("files/") && found.push(academy.pool.query(query));
  await exportAcademy(readConfig(env), join(folder, "long.zip"), "1.2.3", { say });
  const [, ...afterFirst] = (await Promise.all(found)).map(({ rowCount }) => rowCount);
  expect(afterFirst.length).toBeGreaterThan(3);
  expect(new Set(afterFirst)).toEqual(new Set([0]));
});

test("an export that lacks a file is made once more, and otherwise fails with its name", async () => {
  const { rows } = await academy.pool.query<{ key: string }>("select storage_key as key from course_resources limit 1");
  const key = rows[0]?.key ?? "";
  const stored = join(academy.dataDir, "files", key);
  const aside = join(folder, "aside");
  renameSync(stored, aside);
  const lacking = await operate(["export", join(folder, "lacking.zip")], env);
  expect(lacking.failed).toBe(`A row names the file ${key}, and the store does not have it.`);
  expect(lacking.code).toBe(1);
  let manifests = 0;
  const say = (name: string) => {
    if (name === "manifest.json" && ++manifests === 1) renameSync(aside, stored);
  };
  const whole = await exportAcademy(readConfig(env), join(folder, "whole.zip"), "1.2.3", { say });
  expect(whole.missing).toEqual([]);
  expect(manifests).toBe(2);
});

/** An archive of these files, which are stored as they are, if not packed on purpose. */
async function zipOf(files: Record<string, Buffer | string>, packed: readonly string[] = []): Promise<string> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) {
    zip.addBuffer(Buffer.from(content), name, { compress: packed.includes(name) });
  }
  zip.end();
  const path = join(folder, "hostile.zip");
  writeFileSync(path, await buffer(zip.outputStream));
  return path;
}

test("hostile and damaged archives are refused in a sentence and change nothing [N29]", async () => {
  const { config, pool } = await emptyAcademy("target");
  // An import does not read people and payments.
  const content = /^(catalogue|pictures|files)\/|^manifest\.json$/;
  const model = Object.fromEntries(Array.from(filesIn(plain)).filter(([name]) => content.test(name)));
  const manifest = manifestOf(plain);
  const resource = Object.keys(model).find((name) => name.startsWith("files/resources/")) ?? "";
  /** With the hashes of changed files. */
  const changed = (changes: Record<string, Buffer | string>, about: object = {}) => {
    const files = manifest.files.map((one) => {
      const content = changes[one.name];
      return content === undefined ? one : { ...one, sha256: hash("sha256", content) };
    });
    return { ...model, ...changes, "manifest.json": JSON.stringify({ ...manifest, files, ...about }) };
  };
  type Row = Record<string, unknown>;
  const withRows = (table: string, change: (rows: Row[]) => Row[]) => {
    const name = `catalogue/${table}.json`;
    return changed({ [name]: JSON.stringify(change(JSON.parse(model[name]?.toString() ?? ""))) });
  };
  const altered = (table: string, change: Row) =>
    withRows(table, ([first, ...others]) => [{ ...first, ...change }, ...others]);
  const added = (table: string, row: Row) => withRows(table, (rows) => [...rows, row]);
  const day = "2026-11-29";
  const setting = (name: string, value: unknown) => added("settings", { name, value, updated_at: day });
  const question = { lesson_id: "lesson-1-1", question_id: "q", version: "v", content: {}, published_at: day };
  const { [resource]: _, ...without } = model;
  const zeros = Buffer.alloc(17 * 1024 ** 2);
  const evil = readFileSync(await zipOf({ ...model, "files/aaaaaaaaaa": "x" }));
  for (let at = evil.indexOf("files/aaaaaaaaaa"); at >= 0; at = evil.indexOf("files/aaaaaaaaaa", at)) {
    evil.write("../../../../../x", at);
  }
  const huge = readFileSync(plain);
  // The size in the archive's list of files.
  huge.writeUInt32LE(513 * 1024 ** 2, huge.lastIndexOf("catalogue/captions.json") - 22);
  const cases: [string, Buffer | (() => Promise<string>), RegExp][] = [
    ["a text", Buffer.from("no archive"), /isn't an export, or it is damaged/],
    ["half", readFileSync(plain).subarray(0, statSync(plain).size / 2), /isn't an export, or it is damaged/],
    ["a path", evil, /invalid relative path/],
    ["another release", () => zipOf(changed({}, { format: 2 })), /manifest is of another release/],
    ["no manifest", () => zipOf({ "README.md": "" }), /lacks manifest\.json/],
    ["broken JSON", () => zipOf(changed({ "catalogue/lessons.json": "[{" })), /lessons\.json isn't a list of rows/],
    [
      "a bomb",
      () => zipOf(changed({ "catalogue/lessons.json": zeros }), ["catalogue/lessons.json"]),
      /lessons\.json isn't a list of rows/,
    ],
    ["too much", huge, /is too large, or packed/],
    ["a packed file", () => zipOf(changed({ [resource]: zeros }), [resource]), /too large, or packed/],
    ["another file", () => zipOf({ ...model, "secrets/session": "x" }), /"secrets\/session", which no export/],
    ["other rows", () => zipOf({ ...model, "catalogue/lessons.json": "[]" }), /lessons\.json is not what was exported/],
    ["other bytes", () => zipOf({ ...model, [resource]: "other" }), /is not what was exported/],
    ["a column", () => zipOf(altered("lessons", { search: "x" })), /column that this release doesn't know/],
    ["a type", () => zipOf(altered("lessons", { duration_seconds: "long" })), /rows that don't fit/],
    ["a module", () => zipOf(altered("lessons", { module_id: "none" })), /rows that don't fit/],
    ["a tier", () => zipOf(altered("plans", { tier: "gold" })), /its content isn't valid/],
    ["settings", () => zipOf(setting("academy", { name: 5 })), /isn't valid/],
    ["texts", () => zipOf(setting("copy:hero", null)), /isn't valid|don't fit/],
    ["texts", () => zipOf(setting("copy:hero", { part: "hero" })), /isn't valid/],
    ["an offer", () => zipOf(setting("offer", [])), /isn't valid/],
    [
      "a draft",
      () => zipOf(added("drafts", { kind: "lesson", id: "lesson-1-1", content: [], updated_at: day })),
      /isn't valid/,
    ],
    ["a question", () => zipOf(added("check-questions", question)), /isn't valid/],
    ["coaching", () => zipOf(altered("plans", { coaching: 5 })), /isn't valid/],
    ["a video", () => zipOf(altered("lessons", { video_id: "javascript:1" })), /isn't valid/],
    [
      "a key",
      () => zipOf(altered("resources", { storage_key: "portraits/aaaaaaaaaaaaaaaa" })),
      /names its files in a way/,
    ],
    ["a format", () => zipOf(altered("resources", { file_name: "page.html" })), /page\.html/],
  ];
  const { rows: was } = await pool.query("select count(*)::int as lessons from lessons");
  for (const [name, content, why] of cases) {
    const path = typeof content === "function" ? await content() : join(folder, "hostile.zip");
    if (typeof content !== "function") writeFileSync(path, content);
    const fault = await importContent(config, path, agreed).then(
      () => "Imported",
      (error: Error) => error.message,
    );
    expect(fault, name).toMatch(why);
    expect(fault, name).not.toContain("\n");
    if (fault !== "Imported")
      expect((await pool.query("select count(*)::int as lessons from lessons")).rows, name).toEqual(was);
  }
  expect(existsSync(join(folder, "x"))).toBe(false);

  // A resource that the store had lost is named, and everything else is imported.
  const lost = await importContent(config, await zipOf(without), agreed);
  expect(lost?.missing).toHaveLength(1);
});
