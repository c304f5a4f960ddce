import { permissions, roleLabels, roles } from "#contract/roles.ts";
import { Panel } from "../panel.tsx";
import { below, ownPermissions } from "./role-words.ts";

/** The table by which the server decides, in words. */
export function RolesPanel() {
  return (
    <Panel title="What each role may do">
      <div className="grid gap-x-8 gap-y-6 sm:grid-cols-2 2xl:grid-cols-4">
        {roles.map((role) => {
          const under = below[role];
          return (
            <section key={role} aria-labelledby={`role-${role}`} className="border-line border-t-2 pt-3">
              <h3 id={`role-${role}`} className="font-bold">
                {roleLabels[role]}
              </h3>
              {under && <p className="mt-1 text-ink-soft text-sm">All that {roleLabels[under]} may, and:</p>}
              <ul className="mt-2 grid list-disc gap-1 pl-5 text-sm marker:text-ink-soft">
                {ownPermissions(role).map((permission) => (
                  <li key={permission}>{capital(permissions[permission])}</li>
                ))}
              </ul>
            </section>
          );
        })}
      </div>
    </Panel>
  );
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
