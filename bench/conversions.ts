// node bench/conversions.ts: how much longer pages take while an uploaded video is converted.
//
// A student's pages and calls come at a constant rate, in turns with and without a conversion of a film of 1,920 × 1,080
// pixels beside them. A figure is the median of the rounds.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { freePort } from "#test/free-port.ts";
import { makeFilm, picture, prepared, sound, storeUpload } from "#test/studio/films.ts";
import { until } from "#test/until.ts";
import { Visitor } from "#test/visitor.ts";
import { openDatabase } from "./database.ts";
import { type Sent, sendEvenly } from "./load/open-loop.ts";
import { startProgram } from "./programs.ts";
import { figure, median } from "./report.ts";

const rounds = 3;
const perSecond = 40;
const seconds = 8;
/** How many times the 99th percentile without a conversion it may be. */
const goal = 2;
const paths = [
  "/",
  "/course-access",
  "/api/catalogue",
  "/api/course-access",
  "/api/lessons/lesson-1-1/playback",
  "/api/user/subscription",
];

const dataDir = await mkdtemp(join(tmpdir(), "academy-bench-"));
const database = await openDatabase(dataDir);
const port = await freePort();
const origin = `http://localhost:${port}`;
const env = { ...database.env, PORT: String(port), PUBLIC_URL: origin, DATA_DIR: dataDir, DEMO_HISTORY: "none" };
const academy = await startProgram(["scripts/start.mjs"], env);
const pool = new pg.Pool(database.connection);
try {
  const film = await makeFilm(dataDir, "film.mp4", [...picture("1920x1080", 40, 30), ...sound(40)]);
  const student = await new Visitor(origin).signInAsDemo("vip@academy.test");
  const cookie = [...student.cookies].map(([name, { value }]) => `${name}=${value}`).join("; ");
  const requestOf = (n: number) =>
    `GET ${paths[n % paths.length]} HTTP/1.1\r\nhost: localhost:${port}\r\ncookie: ${cookie}\r\n\r\n`;
  const measure = () => sendEvenly(origin, perSecond, seconds, requestOf);

  await measure();
  const [idle, converting]: [Sent[], Sent[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    idle.push(await measure());
    const id = await storeUpload({ pool, dataDir }, film);
    const stateOf = async () => (await pool.query("select state from videos where id = $1", [id])).rows[0].state;
    await until(async () => (await stateOf()) === "converting");
    const sent = await measure();
    if ((await stateOf()) === "converting") converting.push(sent);
    await prepared({ pool }, id);
  }
  if (converting.length === 0) throw new Error("each conversion ended before its round: the film is too short");
  const p99 = (some: readonly Sent[]) => median(some.map(({ p99Ms }) => p99Ms));
  for (const [name, some] of Object.entries({ idle, converting })) {
    const [refused, lost] = [some.map((one) => one.refused), some.map((one) => one.lost)];
    const p50 = median(some.map(({ p50Ms }) => p50Ms)).toFixed(1);
    console.log(`${name}: p50 ${p50} ms, p99 ${p99(some).toFixed(1)} ms, refused ${refused}, lost ${lost}`);
  }
  console.log(figure("p99 while converting", p99(converting), "ms", Math.round(goal * p99(idle))));
} finally {
  await pool.end();
  await academy.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
}
