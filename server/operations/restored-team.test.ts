import { expect, test } from "vitest";
import { teamLines } from "./restored-team.ts";

const person = { isConfirmed: true, isSuspended: false, role: null };

test("an operator reads who has which role after a restore, and where it differs from ADMIN_EMAILS", () => {
  const lines = teamLines(
    {
      people: [
        { ...person, email: "coach@x.test", role: "coach" },
        { ...person, email: "gone@x.test", role: "owner" },
        { ...person, email: "help@x.test", role: "support", isSuspended: true },
        { ...person, email: "root@x.test" },
        { ...person, email: "typed@x.test", isConfirmed: false },
      ],
      invited: [{ email: "soon@x.test", role: "administrator" }],
    },
    ["root@x.test", "typed@x.test", "new@x.test"],
  );
  expect(lines.slice(1, -1)).toEqual([
    "  owner: gone@x.test (by the backup alone: not in ADMIN_EMAILS)",
    "  owner: root@x.test (by ADMIN_EMAILS)",
    "  support: help@x.test (suspended: counts once reactivated)",
    "  coach: coach@x.test (by the backup)",
    "  invited as administrator: soon@x.test",
    "ADMIN_EMAILS names typed@x.test, new@x.test, which no account of the backup has confirmed.",
  ]);
});
