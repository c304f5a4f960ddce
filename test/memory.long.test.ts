import { expect, test } from "vitest";
import { type Academy, openAcademy } from "#test/academy.ts";
import { until } from "#test/until.ts";

const report = new URL("./stand-ins/heap-report.ts", import.meta.url);
const rounds = Number(process.env.SOAK_ROUNDS ?? 12);
const requestsPerRound = 3000;

/** Bytes of the heap after a full garbage collection. */
async function heapOf(academy: Academy): Promise<number> {
  const from = academy.log.length;
  process.kill(academy.pid, "SIGUSR2");
  const line = await until(async () => academy.log.slice(from).find((one) => one.startsWith("heap ")));
  return Number(line.slice("heap ".length));
}

test("memory stays what it was, however long people come, sign in, watch and are refused [I15]", async () => {
  await using academy = await openAcademy({ NODE_OPTIONS: `--expose-gc --import ${report}` });
  const student = await academy.visitor().signInAsDemo("vip@academy.test");
  const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  const body = JSON.stringify({ position: 1 });
  const calls: (() => Promise<Response>)[] = [
    () => academy.visitor().send("GET", "/"),
    () => academy.visitor().send("GET", "/api/catalogue"),
    () => academy.visitor().send("GET", "/api/login"),
    () => academy.visitor().send("GET", "/no-such-page"),
    () => academy.visitor().send("POST", "/api/contact", "{"),
    () => student.send("GET", "/api/course-access"),
    () => student.send("PUT", "/api/user/progress/lesson-1-1", body),
    () => student.send("GET", "/api/lessons/lesson-1-1/playback"),
    () => student.send("GET", "/api/admin/users"),
    () => administrator.send("GET", "/api/admin/money"),
  ];
  const work = async () => {
    for (let sent = 0; sent < requestsPerRound; sent += calls.length) {
      await Promise.all(calls.map(async (call) => (await call()).arrayBuffer()));
    }
  };
  // Two warm-up rounds, in which code is compiled, and pools and caches fill.
  await work();
  await work();
  const first = await heapOf(academy);
  for (let round = 0; round < rounds; round++) await work();
  const last = await heapOf(academy);
  expect(last / first).toBeLessThan(1.05);
});
