import { type ComponentType, lazy } from "react";
import { outlast } from "./outlast.ts";
import { PartFailed } from "./part.tsx";

/**
 * A component whose code loads when it is first rendered, and a function that loads it earlier. If loading fails, shows
 * an error with a reload button.
 */
export function late<Props>(what: string, load: () => Promise<{ default: ComponentType<Props> }>) {
  const Missing = () => <PartFailed what={what} retry={() => window.location.reload()} />;
  const fetchCode = () =>
    load().catch(async () => {
      await outlast();
      return { default: Missing };
    });
  return [lazy<ComponentType<Props>>(fetchCode), fetchCode] as const;
}
