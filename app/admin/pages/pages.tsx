import { cx } from "class-variance-authority";
import { useEffect, useEffectEvent } from "react";
import { queryOf } from "#app/api/query.ts";
import { getContent } from "#contract/admin/content.ts";
import { useAddress } from "../address.ts";
import { AdminPage } from "../admin-page.tsx";
import { DraftsBar } from "../drafts-bar.tsx";
import { useLoaded } from "../loaded.tsx";
import { PartForm } from "./part-form.tsx";
import { PartLink } from "./part-link.tsx";
import { partGroups } from "./parts.ts";

export default function PagesPage() {
  return (
    <AdminPage
      title="Pages"
      description="The words of the public pages and the legal texts, edited by administrators."
      lead="Changes are drafts until you publish them. Then the public pages show them right away. Legal texts show the date of their last publication."
    >
      <Parts />
    </AdminPage>
  );
}

PagesPage.queries = () => [queryOf(getContent)];

function Parts() {
  const { read, write } = useAddress();
  const { data, instead } = useLoaded(queryOf(getContent), "words");
  const openFirst = useEffectEvent(() => write({ edit: partGroups[0]?.parts[0] ?? null }, { replace: true }));
  const isClosed = read("edit") === "";
  useEffect(() => {
    // Where the parts and the form are side by side.
    if (isClosed && window.matchMedia("(min-width: 80rem)").matches) openFirst();
  }, [isClosed]);
  if (!data) return instead;
  const edited = data.copy.find(({ id }) => id === read("edit"));
  return (
    <div className="grid gap-6">
      <DraftsBar drafts={data.drafts} />
      <div className="grid items-start gap-x-10 gap-y-8 xl:grid-cols-[13rem_minmax(0,1fr)]">
        <nav aria-label="Parts of the pages" className={cx("grid gap-6 xl:sticky xl:top-6", edited && "max-xl:hidden")}>
          {partGroups.map((group) => (
            <section key={group.title}>
              <h2 className="font-bold text-heading">{group.title}</h2>
              <ul className="mt-2 border-ink border-t-2 py-2">
                {group.parts.map((part) => (
                  <li key={part}>
                    <PartLink part={data.copy.find(({ id }) => id === part)} isOpen={edited?.id === part} />
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </nav>
        {edited && (
          <div className="grid gap-5">
            <button
              type="button"
              onClick={() => write({ edit: null })}
              className="w-fit font-semibold text-sm underline decoration-2 underline-offset-4 xl:hidden"
            >
              All pages
            </button>
            <PartForm key={edited.id} part={edited} content={data} />
          </div>
        )}
      </div>
    </div>
  );
}
