import { type ComponentType, lazy } from "react";
import { PartFailed } from "./part.tsx";

/**
 * A part whose code comes when it is first shown, and the way to fetch that before. Where it cannot be fetched, the part
 * says so and offers a reload.
 */
export function late<Props>(what: string, load: () => Promise<{ default: ComponentType<Props> }>) {
  const Missing = () => <PartFailed what={what} retry={() => window.location.reload()} />;
  const fetchCode = () => load().catch(() => ({ default: Missing }));
  return [lazy<ComponentType<Props>>(fetchCode), fetchCode] as const;
}
