import { expect, test } from "vitest";
import { freePort } from "#test/free-port.ts";
import { isNginxInstalled, openNginx } from "#test/nginx.ts";
import { restartInTurn } from "#test/restarts.ts";

test.skipIf(!isNginxInstalled)(
  "two nodes behind Debian's nginx restart in turn without one request that fails [I11]",
  async () => {
    const port = await freePort();
    const { answered, failures } = await restartInTurn(`http://localhost:${port}`, (nodes) => openNginx(port, nodes));
    expect(failures).toEqual([]);
    expect(answered).toBeGreaterThan(100);
  },
);
