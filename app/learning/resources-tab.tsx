import type { Module } from "#contract/catalogue.ts";

/** No lesson has downloads yet, and the page says so module by module. */
export function ResourcesTab({ modules }: { modules: readonly Module[] }) {
  return (
    <div className="grid gap-8">
      <div>
        <h1 className="wide text-title">Resources</h1>
        <p className="mt-3 text-ink-soft">Downloads that belong to a module or to one of its lessons.</p>
      </div>
      {modules.length === 0 && <p>No resources available</p>}
      <ul className="grid gap-4 md:grid-cols-2">
        {modules.map((module) => (
          <li key={module.id} className="grid content-between gap-6 rounded-md border border-line bg-surface p-5">
            <h2 className="font-bold leading-tight">
              {module.position}. {module.title}
            </h2>
            <p className="printed text-ink-soft">No resources available</p>
          </li>
        ))}
      </ul>
    </div>
  );
}
