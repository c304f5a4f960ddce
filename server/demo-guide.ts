import { type DemoAccount, demoAccounts, demoPassword } from "#content/demo-accounts.ts";
import { plans } from "#content/plans.ts";
import type { Config } from "./context/config.ts";

export function demoGuide({ publicUrl, oidc, gateway, sandboxUrl }: Config): string[] {
  const sandbox = `Card gateway, mailbox and clock: ${sandboxUrl ?? publicUrl}/sandbox`;
  // Only the built-in issuer has these accounts, and only the stand-in gateway lets the seed pay.
  if (oidc !== "built-in" || gateway.environment !== "demo") return [sandbox];
  const widest = Math.max(...demoAccounts.map(({ email }) => email.length));
  const accounts = demoAccounts.map((account) => `  ${account.email.padEnd(widest)}  ${stateOf(account)}`);
  return [`Sign in, with the password ${demoPassword}, as:`, ...accounts, sandbox];
}

const states = { on_hold: "account on hold", suspended: "account suspended" };

function stateOf({ role, state, plan }: DemoAccount): string {
  if (role) return role;
  if (state !== "active") return states[state];
  return plan ? (plans.find(({ id }) => id === plan)?.name ?? plan) : "has bought nothing";
}
