import { expect, test } from "vitest";
import { type Academy, openAcademy, type RunningAcademy } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { forFile } from "#test/fixtures.ts";
import { inRole } from "#test/in-role.ts";
import { openObjectStore, storeEnv } from "#test/stand-ins/object-store.ts";
import { openSandboxProcess } from "#test/stand-ins/sandbox-process.ts";
import { until } from "#test/until.ts";
import { beginUpload, filmLike, offsetOf, openPiece, sendPiece } from "#test/uploads/tus.ts";

const store = await forFile(openObjectStore());
const sandbox = await forFile(openSandboxProcess());
const env = {
  ...storeEnv(store),
  SANDBOX_URL: sandbox.url,
  SESSION_SECRET: "one secret that both nodes of this test share",
};
const first = await forFile(openAcademyInProcess(env));
/** A process of its own where it is killed: `two-nodes.long.test.ts` says so. */
const isKilled = process.env.NODE_IS_KILLED === "yes";
const second = await forFile<RunningAcademy>(
  isKilled ? openAcademy(env, first.database) : openAcademyInProcess(env, first.database),
);

const leaseOf = async (id: string) =>
  (await first.pool.query("select locked_until, lock_number from videos where id = $1", [id])).rows[0];
const expireLease = (id: string) =>
  first.pool.query("update videos set locked_until = now() - interval '1 year' where id = $1", [id]);
const film = filmLike(400_000);
/** The last byte never comes, so that nothing is done with the pieces. */
async function begin() {
  const here = await inRole(first, "administrator");
  return {
    id: await beginUpload(here, { size: film.length + 1 }),
    here,
    there: await second.visitor().signInAsDemo(here.email),
  };
}

test("each node continues what the other received [Z62]", async () => {
  const { id, here, there } = await begin();
  expect((await sendPiece(here, id, 0, film.subarray(0, 100_000))).status).toBe(204);
  expect((await sendPiece(there, id, 100_000, film.subarray(100_000, 300_000))).status).toBe(204);
  expect((await sendPiece(here, id, 300_000, film.subarray(300_000))).status).toBe(204);
  expect([await offsetOf(here, id), await offsetOf(there, id)]).toEqual([film.length, film.length]);
});

test("who lost the lease while another node went on records nothing [Z62]", async () => {
  const { id, here, there } = await begin();
  const paused = openPiece(here, id, 0, 200_000);
  await paused.write(film.subarray(0, 100_000));
  await until(async () => (await leaseOf(id)).locked_until !== null);
  await expireLease(id);
  expect((await sendPiece(there, id, 0, film.subarray(0, 300_000))).status).toBe(204);
  await paused.write(film.subarray(100_000, 200_000));
  expect(await paused.status).toBe(409);
  expect(await offsetOf(there, id)).toBe(300_000);
  const { rows } = await first.pool.query("select size from video_pieces where video_id = $1", [id]);
  expect(rows).toEqual([{ size: 300_000 }]);
});

test("a connection that sends nothing more makes way for the next, and what it sent stays [Z62]", async () => {
  const { id, here, there } = await begin();
  const silent = openPiece(there, id, 0, 200_000);
  await silent.write(film.subarray(0, 100_000));
  await until(async () => (await leaseOf(id)).locked_until !== null);
  expect(await offsetOf(here, id)).toBe(100_000);
  expect((await sendPiece(here, id, 100_000, film.subarray(100_000))).status).toBe(204);
  silent.cut();
});

if (isKilled) {
  test("a killed node loses only the piece under way [Z62]", async () => {
    const { id, here, there } = await begin();
    expect((await sendPiece(there, id, 0, film.subarray(0, 100_000))).status).toBe(204);
    const doomed = openPiece(there, id, 100_000, 200_000);
    await doomed.write(film.subarray(100_000, 200_000));
    const { lock_number: number } = await until(async () => {
      const lease = await leaseOf(id);
      return lease.locked_until !== null && lease;
    });
    expect(number).toBeGreaterThan(1);
    await (second as Academy).kill();
    expect(await doomed.status).toBeNull();
    await expireLease(id);
    expect(await offsetOf(here, id)).toBe(100_000);
    expect((await sendPiece(here, id, 100_000, film.subarray(100_000))).status).toBe(204);
  });
}
