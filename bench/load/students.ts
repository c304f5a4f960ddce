import { listProgress, saveProgress, sendWatchNotes, type WatchNote } from "#contract/progress.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import type { Visitor } from "#test/visitor.ts";
import type { Recorded, Statement } from "../recorder.ts";
import type { Load } from "./wrk.ts";

/** The server's statements for a request, in order, and its reply. */
export interface Answered extends Load {
  readonly statements: readonly Statement[];
  readonly reply: unknown;
}

const readPaths = ["/api/auth/user", "/api/course-access", "/api/user/progress"];
const watchedLessons = ["lesson-1-1", "lesson-1-2", "lesson-1-3", "lesson-1-4", "lesson-2-1", "lesson-2-2"];

/** Signed-in students with data: three of the demo, and some who sign up and buy here. */
export async function openStudents(visitor: () => Visitor): Promise<Visitor[]> {
  const students = await Promise.all(
    ["basic", "premium", "vip"].map((tier) => visitor().signInAsDemo(`${tier}@academy.test`)),
  );
  for (let made = 0; made < 5; made++) {
    const student = await visitor().signUp();
    const { status } = await student.call(acceptPayment, { body: await student.paymentFor("premium") });
    if (status !== 200) throw new Error(`a student could not buy: ${status}`);
    students.push(student);
  }
  return students;
}

/** Sends the mix of signed-in requests and the heartbeats of these students, once each, and records them. */
export async function recordAnswers(
  students: readonly Visitor[],
  onRecord: (listener: (recorded: Recorded) => void) => void,
): Promise<{ reads: Answered[]; heartbeats: Answered[] }> {
  const statementsOf = new Map<string, Statement[]>();
  onRecord(({ key, statement }) => statementsOf.set(key, [...(statementsOf.get(key) ?? []), statement]));
  let made = 0;
  const record = async (student: Visitor, method: Load["method"], path: string, body = ""): Promise<Answered> => {
    const key = String(++made);
    const response = await student.send(method, path, body || undefined, { "x-recorded-as": key });
    if (response.status !== 200) throw new Error(`${method} ${path} answered ${response.status}`);
    const reply = await response.json();
    const cookie = [...student.cookies].map(([name, { value }]) => `${name}=${value}`).join("; ");
    return { method, path, cookie, body, statements: statementsOf.get(key) ?? [], reply };
  };

  const reads: Answered[] = [];
  const heartbeats: Answered[] = [];
  // Alternates students, so that no heartbeat waits for another one's row lock.
  for (const [at, lessonId] of watchedLessons.entries()) {
    for (const student of students) {
      const position = 5 * (at + 1);
      await student.call(saveProgress, { params: { lessonId }, body: { watched: [] } });
      const note: WatchNote = { lessonId, watched: [[0, position]], position, at: new Date().toISOString() };
      heartbeats.push(await record(student, "POST", sendWatchNotes.path, JSON.stringify({ notes: [note] })));
    }
  }
  for (const path of readPaths) for (const student of students) reads.push(await record(student, "GET", path));
  for (const { method, path, statements } of [...reads, ...heartbeats]) {
    if (statements.length === 0) throw new Error(`${method} ${path} was answered without a statement`);
  }
  return { reads, heartbeats };
}

/** Whether a student's heartbeats are in the progress records. */
export async function areHeartbeatsKept(student: Visitor): Promise<boolean> {
  const { body } = await student.call(listProgress);
  return watchedLessons.every((lesson) => body.some(({ lessonId, position }) => lessonId === lesson && position > 0));
}
