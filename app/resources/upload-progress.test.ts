import { expect, test } from "vitest";
import { progressOfFiles } from "./upload-progress.ts";

test.each([
  [0, [0, 0, 0]],
  [50, [50, 0, 0]],
  [100, [100, 0, 0]],
  [250, [100, 75, 0]],
  [301, [100, 100, 1]],
  [9999, [100, 100, 100]],
])("after %i bytes three files are at %o percent", (sent, percents) => {
  expect(progressOfFiles([100, 200, 100], sent)).toEqual(percents);
});
