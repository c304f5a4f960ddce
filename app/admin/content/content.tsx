import { cx } from "class-variance-authority";
import { useEffect, useRef } from "react";
import { queryOf } from "#app/api/query.ts";
import { getContent } from "#contract/admin/content.ts";
import { useAddress } from "../address.ts";
import { AdminPage } from "../admin-page.tsx";
import { DraftsBar } from "../drafts-bar.tsx";
import { useLoaded } from "../loaded.tsx";
import { EditorFor } from "./editor-for.tsx";
import { OldNamesPanel } from "./old-names-panel.tsx";
import { Outline } from "./outline.tsx";

export default function ContentPage() {
  return (
    <AdminPage
      title="Content"
      description="The course, the plans and the offer, edited by administrators."
      lead="Changes are drafts until you publish them. Then the public pages show them right away."
    >
      <Content />
    </AdminPage>
  );
}

ContentPage.queries = () => [queryOf(getContent)];

function Content() {
  const { read, write } = useAddress();
  const { data, instead } = useLoaded(queryOf(getContent), "content");
  const edit = read("edit");
  const editor = useFocusOn(edit);
  if (!data) return instead;
  return (
    <div className="grid gap-6">
      <OldNamesPanel content={data} />
      <DraftsBar drafts={data.drafts} />
      <div className={cx("grid items-start gap-x-10 gap-y-8", edit && "xl:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]")}>
        <div className={cx(edit && "max-xl:hidden")}>
          <Outline content={data} isAlone={!edit} />
        </div>
        {edit && (
          <div ref={editor} className="grid gap-5 xl:sticky xl:top-6">
            <button
              type="button"
              onClick={() => write({ edit: null })}
              className="w-fit font-semibold text-sm underline decoration-2 underline-offset-4 xl:hidden"
            >
              All content
            </button>
            <EditorFor key={edit} edit={edit} content={data} />
          </div>
        )}
      </div>
    </div>
  );
}

/** Focuses the heading of each editor that is opened after the page, which may be far above its link. */
function useFocusOn(edit: string | null) {
  const editor = useRef<HTMLDivElement>(null);
  const shown = useRef(edit);
  useEffect(() => {
    if (shown.current === edit) return;
    shown.current = edit;
    editor.current?.querySelector("h2")?.focus();
  }, [edit]);
  return editor;
}
