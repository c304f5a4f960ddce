const milliseconds = { terminal: 200, elsewhere: 10_000 };

/**
 * Says what is under way, how far it is and how long it has taken: in a terminal by one line that stays up to date,
 * elsewhere by a plain line now and then.
 * @param howFar asked whenever a line is written, such as "12 of 80".
 */
export function showProgress(what, howFar, out = process.stdout) {
  const startedAt = Date.now();
  const withTime = (text) => `${text} (${Math.round((Date.now() - startedAt) / 1000)} s)`;
  // A line that wraps could not be written over.
  const fitting = (text) => text.slice(0, (out.columns || 80) - 1);
  const write = () => {
    const line = withTime(`${what}: ${howFar()}`);
    out.write(out.isTTY ? `\r${fitting(line)}\u001b[K` : `${line}\n`);
  };
  const stop = () => {
    clearInterval(timer);
    if (out.isTTY) out.write("\r\u001b[K");
  };
  const timer = setInterval(write, out.isTTY ? milliseconds.terminal : milliseconds.elsewhere);
  write();
  return {
    /** Ends without a word, where something else says what went wrong. */
    stop,
    /** Ends with one plain line. */
    end(sentence) {
      stop();
      out.write(`${withTime(sentence)}\n`);
    },
  };
}
