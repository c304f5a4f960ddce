import { useEffect, useState } from "react";

const debounceMilliseconds = 300;

/** The text, once typing has paused. The server answers thirty searches a minute. */
export function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), debounceMilliseconds);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
