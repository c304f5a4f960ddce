import { afterAll, expect, test } from "vitest";
import { databaseOfFile } from "#test/fixtures.ts";
import { openPool } from "./db.ts";
import { refusePooler } from "./pooler.ts";

const { database, pool: direct } = await databaseOfFile();
const connections = await Promise.all([direct.connect(), direct.connect(), direct.connect()]);
afterAll(() => {
  for (const connection of connections) connection.release(true);
});

/** Chooses the connection for the nth statement of a client, as poolers do. */
type Choose = (client: number, nth: number) => number;

function poolerThat(choose: Choose, connectionParameters: object) {
  let clients = 0;
  const connect = async () => {
    const client = clients++;
    let statements = 0;
    const query = (text: string) => connections[choose(client, statements++)]?.query(text);
    return { query, release() {}, connectionParameters };
  };
  return { connect };
}

test.each<[string, RegExp, Choose, object?]>([
  ["shares one connection", /share one connection/, () => 0],
  ["takes any connection", /several connections/, (client, nth) => (client === 1 ? 1 : (nth % 2) * 2)],
  ["takes two connections in turn", /several connections/, (client, nth) => (client === 1 && nth < 3 ? 1 : 0)],
  ["drops the settings of a client", /time limits have no effect/, (client) => client, { statement_timeout: 15_000 }],
])("a pooler that %s is refused", async (_how, reason, choose, asked = {}) => {
  await expect(refusePooler(poolerThat(choose, asked))).rejects.toMatchObject({
    code: "08P01",
    message: expect.stringMatching(reason),
  });
});

test("a direct connection is accepted", async () => {
  const pool = openPool(database.connection, () => {}, 2);
  await refusePooler(pool).finally(() => pool.end());
});
