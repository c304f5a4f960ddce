const RealDate = Date;

/** Shifts this process's clock until the returned function is called. */
export function shiftClock(milliseconds: number): () => void {
  const now = () => RealDate.now() + milliseconds;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, self) => Reflect.construct(target, given.length > 0 ? given : [now()], self),
    get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
  });
  return () => {
    globalThis.Date = RealDate;
  };
}
