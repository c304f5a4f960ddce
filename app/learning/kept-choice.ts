import { useState } from "react";
import { useInBrowser } from "#ui/browser-state.ts";

/** A choice that this browser keeps under a name, and a function that changes it. */
export function useKeptChoice<Choice extends string>(name: string, initial: Choice) {
  const [chosen, setChosen] = useState<Choice | null>(null);
  const choice = useInBrowser<Choice>(chosen ?? (read(name) as Choice | null) ?? initial, initial);
  function choose(next: Choice): void {
    setChosen(next);
    try {
      window.localStorage.setItem(name, next);
    } catch {
      // Storage is blocked: the choice lasts as long as the page.
    }
  }
  return [choice, choose] as const;
}

function read(name: string): string | null {
  try {
    return typeof window === "undefined" ? null : window.localStorage.getItem(name);
  } catch {
    return null;
  }
}
