import { useEffect, useState } from "react";

/** Milliseconds without a key until a preview follows. */
const pause = 400;

/** The value once nobody has typed for a moment. */
export function useSettled(value: string): string {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), pause);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
