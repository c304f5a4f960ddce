import { permissions } from "#contract/permissions.ts";
import { type Role, roleLabels, roles } from "#contract/roles.ts";
import { Panel } from "../panel.tsx";
import { ownPermissions } from "./role-words.ts";

const leads: Readonly<Record<Role, string | null>> = {
  owner: "Everything administrators can do, and:",
  administrator: "Everything support can do, and:",
  support: "No refunds and no free access, but:",
  coach: "On their own page, with their students' names but no payments:",
};

/** The server's table of permissions, in words. */
export function RolesPanel() {
  return (
    <Panel title="What each role can do">
      <div className="gap-x-8 sm:columns-2">
        {roles.map((role) => (
          <section
            key={role}
            aria-labelledby={`role-${role}`}
            className="mb-6 break-inside-avoid border-line border-t-2 pt-3"
          >
            <h3 id={`role-${role}`} className="font-bold">
              {roleLabels[role]}
            </h3>
            {leads[role] && <p className="mt-1 text-ink-soft text-sm">{leads[role]}</p>}
            <ul className="mt-2 grid list-disc gap-1 pl-5 text-sm marker:text-ink-soft">
              {ownPermissions(role).map((permission) => (
                <li key={permission}>{capital(permissions[permission])}</li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Panel>
  );
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
