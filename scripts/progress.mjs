const milliseconds = { terminal: 200, elsewhere: 10_000 };

/**
 * Shows progress and elapsed time: in a terminal as one line that is updated, elsewhere as a line from time to time.
 * @param howFar returns the progress, such as "12 of 80".
 */
export function showProgress(what, howFar, out = process.stdout) {
  const startedAt = Date.now();
  const withTime = (text) => `${text} (${Math.round((Date.now() - startedAt) / 1000)} s)`;
  // A wrapped line could not be overwritten.
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
    /** Ends silently, when the error is printed elsewhere. */
    stop,
    /** Ends with a final line. */
    end(sentence) {
      stop();
      out.write(`${withTime(sentence)}\n`);
    },
  };
}
