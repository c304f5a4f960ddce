import { UpgradeTotal } from "#app/access/upgrade-total.tsx";
import { href } from "#contract/addresses.ts";
import type { Module } from "#contract/catalogue.ts";
import { planName } from "#ui/academy.ts";
import { Badge, OpensAt } from "#ui/badge.tsx";
import { buttonStyle } from "#ui/controls/button.tsx";
import { formatLessons } from "#ui/format/lesson-lengths.ts";

/** The modules outside of the student's plan: what each contains, the tier that unlocks it, and a link to that plan. */
export default function LockedModules({ modules }: { modules: readonly Module[] }) {
  return (
    <section aria-labelledby="locked-title" className="grid min-w-0 gap-4 print:hidden lg:pt-2">
      <h2 id="locked-title" className="wide text-heading">
        Not in your plan yet
      </h2>
      <ul className="grid gap-4">
        {modules.map((module) => (
          <li key={module.id}>
            <LockedModule module={module} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function LockedModule({ module }: { module: Module }) {
  const label = planName(module.requiredTier);
  return (
    <article className="grid gap-x-6 gap-y-4 rounded-md bg-kraft-soft p-5 sm:grid-cols-[1fr_auto] sm:items-start sm:p-6">
      <div className="grid gap-3">
        <h3 className="font-bold text-lg leading-tight">
          <span aria-hidden="true" className="narrow mr-3 text-heading">
            {module.position}
          </span>
          {module.title}
        </h3>
        <p className="max-w-[62ch] text-sm">{module.description}</p>
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <span className="printed">{formatLessons(module.lessons)}</span>
          {module.comingSoon && (
            <Badge tone="kraft">
              <OpensAt at={module.opensAt} />
            </Badge>
          )}
        </p>
      </div>
      <div className="grid gap-3 sm:justify-items-end sm:text-right">
        <div className="max-w-[38ch] text-sm">
          <p>
            Opens with <strong>{label}</strong>
          </p>
          <UpgradeTotal tier={module.requiredTier} />
        </div>
        <a href={href.pricing(module.requiredTier)} className={buttonStyle({ variant: "tag" })}>
          See {label}
        </a>
      </div>
    </article>
  );
}
