/** The database cannot be had; the message is one sentence for the operator. */
export class DatabaseUnavailable extends Error {
  override name = "DatabaseUnavailable";

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}
