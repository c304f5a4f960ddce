/** A browser other than Chromium, with one page. */
export interface Engine extends AsyncDisposable {
  open(address: string): Promise<void>;
  /** Runs a function in the page, as its source, and returns what JSON can carry of its result. */
  run<Result>(work: () => Result | Promise<Result>): Promise<Result>;
  /** In CSS pixels. */
  resize(width: number, height: number): Promise<void>;
  /** Errors and warnings of the console since the start. Null: the engine does not tell them. */
  readonly complaints: readonly string[] | null;
}
