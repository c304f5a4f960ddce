import { cx } from "class-variance-authority";
import { useEffect, useRef } from "react";
import { queryOf } from "#app/api/query.ts";
import { type AcademyContent, getContent } from "#contract/admin/content.ts";
import { noVideo } from "#contract/video-id.ts";
import { useAddress } from "../address.ts";
import { AdminPage } from "../admin-page.tsx";
import { DraftsBar } from "../drafts-bar.tsx";
import { useLoaded } from "../loaded.tsx";
import { Nothing } from "../panel.tsx";
import { versioned } from "./items.ts";
import { LessonForm } from "./lesson-form.tsx";
import { ModuleForm } from "./module-form.tsx";
import { OfferForm } from "./offer-form.tsx";
import { OldNamesPanel } from "./old-names-panel.tsx";
import { Outline } from "./outline.tsx";
import { PlanForm } from "./plan-form.tsx";

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

/** `edit` comes from the URL: a kind and an id, joined by a dot. */
function EditorFor({ edit, content }: { edit: string; content: AcademyContent }) {
  const { write } = useAddress();
  const [kind, id = ""] = edit.split(/\.(.*)/s);

  /** Replaces the editor of a new module or lesson by the editor of the one that was created. */
  function follow(list: "modules" | "lessons", saved: AcademyContent): void {
    const known = new Set(content[list].map((one) => one.id));
    const made = saved[list].find((one) => !known.has(one.id));
    if (made) write({ edit: `${kind}.${made.id}` }, { replace: true });
  }

  if (kind === "offer") return <OfferForm saved={versioned(content.offer)} />;
  if (kind === "module" && id === "new") {
    return <ModuleForm id="new" saved={newModule} onSaved={(reply) => follow("modules", reply)} />;
  }
  const newIn = kind === "lesson" && content.modules.find((module) => id === `new-${module.id}`);
  if (newIn) {
    const saved = { ...newLesson, moduleId: newIn.id };
    return <LessonForm id="new" saved={saved} onSaved={(reply) => follow("lessons", reply)} />;
  }

  if (kind === "module") {
    const module = content.modules.find((one) => one.id === id);
    if (module) return <ModuleForm id={id} saved={versioned(module)} />;
  }
  if (kind === "lesson") {
    const lesson = content.lessons.find((one) => one.id === id);
    if (lesson) return <LessonForm id={id} saved={versioned(lesson)} content={content} />;
  }
  if (kind === "plan") {
    const plan = content.plans.find((one) => one.id === id);
    if (plan) return <PlanForm id={id} saved={versioned(plan)} />;
  }
  return <Nothing>We couldn’t find what to edit. It may have been discarded.</Nothing>;
}

const newModule = {
  title: "",
  description: "",
  requiredTier: "basic",
  comingSoon: false,
  opensAt: null,
  introVideo: null,
  released: false,
} as const;

const newLesson = {
  title: "",
  description: "",
  duration: 0,
  kind: "video",
  videoId: noVideo,
  body: null,
  captions: null,
  freePreview: false,
  comingSoon: false,
  opensAt: null,
  // Nobody sees it before it is published.
  released: true,
  check: null,
} as const;
