import { type ComponentType, lazy } from "react";

/** A component whose code loads when it is first rendered. If loading fails, the page goes on without it. */
export function optional<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy<ComponentType<Props>>(() => load().catch(() => ({ default: () => null })));
}
