import { setTimeout as wait } from "node:timers/promises";
import { sendWatchNotes } from "#contract/progress.ts";
import { openAcademy, type RunningAcademy } from "./academy.ts";
import type { TestDatabase } from "./postgres.ts";
import { sendUnchecked } from "./raw-requests.ts";
import { openSandboxProcess } from "./stand-ins/sandbox-process.ts";
import { until } from "./until.ts";
import { Visitor } from "./visitor.ts";

const readers = 2;
/** Between two requests of a reader: without it they would keep the machine busy while nodes drain. */
const paceMs = 50;
const lessonId = "lesson-1-1";

type OpenNode = (env: Record<string, string>, shared?: TestDatabase) => Promise<RunningAcademy>;

/** Two nodes behind one address, which opens when both serve. `openNode` opens one of them. */
export async function restartInTurn(
  url: string,
  openFront: (ports: readonly number[]) => Promise<AsyncDisposable>,
  openNode: OpenNode = openAcademy,
): Promise<{ answered: number; failures: string[] }> {
  await using sandbox = await openSandboxProcess();
  const env = {
    SANDBOX_URL: sandbox.url,
    SESSION_SECRET: "one secret that both nodes of this test share",
    PUBLIC_URL: url,
    TRUST_PROXY: "loopback",
  };
  await using first = await openNode(env);
  await using second = await openNode(env, first.database);
  await using _front = await openFront([first, second].map((node) => Number(new URL(node.url).port)));
  await until(async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok);
  const student = await new Visitor(url).signInAsDemo("vip@academy.test");

  const failures: string[] = [];
  let answered = 0;
  let isOver = false;
  const read = async (number: number) => {
    while (!isOver) {
      const failure = await sendOne(student, answered + number).then(
        (status) => (status === 200 ? null : String(status)),
        (error: Error) => `${error.message} ${(error.cause as Error | undefined)?.message ?? ""}`,
      );
      if (failure === null) answered += 1;
      else failures.push(failure);
      await wait(paceMs);
    }
  };
  const reading = Promise.all(Array.from({ length: readers }, (_, number) => read(number)));
  try {
    for (const node of [first, second]) await restart(node, () => answered);
  } finally {
    isOver = true;
    await reading;
  }
  return { answered, failures };
}

/** Requests before, during and after the outage. */
async function restart(node: RunningAcademy, answered: () => number): Promise<void> {
  const more = async () => {
    const before = answered();
    await until(async () => answered() > before + 20);
  };
  await more();
  const code = await node.stop();
  if (code !== 0) throw new Error(`a node ended with ${code}`);
  await more();
  await node.start();
  await more();
}

/** Uses a new connection: the other end may close a kept-alive one just as it is reused. */
async function sendOne(student: Visitor, number: number): Promise<number> {
  const isNote = number % 3 === 2;
  const note = { lessonId, watched: [], position: 1, at: new Date().toISOString() };
  const path = isNote ? sendWatchNotes.path : number % 3 === 1 ? "/api/course-access" : "/";
  const { status } = await sendUnchecked(new URL(path, student.origin), {
    agent: false,
    method: isNote ? "POST" : "GET",
    headers: {
      cookie: student.cookieHeader,
      ...(isNote && { origin: student.origin, "content-type": "application/json" }),
    },
    ...(isNote && { body: JSON.stringify({ notes: [note] }) }),
  });
  return status;
}
