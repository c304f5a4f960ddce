import { expect, test, vi } from "vitest";
import { showProgress } from "./progress.mjs";

/** The output, and the resulting screen. */
function openTerminal(isTTY: boolean) {
  let written = "";
  return {
    isTTY,
    columns: 40,
    write: (text: string) => (written += text),
    lines: () => written.split("\n").map((line) => line.split("\r").at(-1)?.replaceAll("\u001b[K", "")),
  };
}

test("in a terminal one line stays up to date, shorter than the terminal is wide, and goes when all is done", () => {
  vi.useFakeTimers();
  const terminal = openTerminal(true);
  let step = "1 of 2";
  const progress = showProgress("Building", () => step, terminal);
  expect(terminal.lines()).toEqual(["Building: 1 of 2 (0 s)"]);
  step = `2 of 2 ${"and more ".repeat(20)}`;
  vi.advanceTimersByTime(3000);
  expect(terminal.lines()).toEqual(["Building: 2 of 2 and more and more and "]);
  progress.end("Built");
  vi.advanceTimersByTime(60_000);
  expect(terminal.lines()).toEqual(["Built (3 s)", ""]);
  vi.useRealTimers();
});

test("without a terminal it is a plain line now and then", () => {
  vi.useFakeTimers();
  const file = openTerminal(false);
  let step = "1 of 2";
  const progress = showProgress("Building", () => step, file);
  step = "2 of 2";
  vi.advanceTimersByTime(11_000);
  progress.end("Built");
  expect(file.lines()).toEqual(["Building: 1 of 2 (0 s)", "Building: 2 of 2 (10 s)", "Built (11 s)", ""]);
  vi.useRealTimers();
});
