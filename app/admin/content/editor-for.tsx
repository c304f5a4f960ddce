import type { AcademyContent, LessonContent } from "#contract/admin/content.ts";
import { defaultLanguage } from "#contract/languages.ts";
import { noVideo } from "#contract/video-id.ts";
import { useAddress } from "../address.ts";
import { Nothing } from "../panel.tsx";
import { versioned } from "./items.ts";
import { LessonForm } from "./lesson-form.tsx";
import { ModuleForm } from "./module-form.tsx";
import { OfferForm } from "./offer-form.tsx";
import { PlanForm } from "./plan-form.tsx";

/** `edit` comes from the URL: a kind and an id, joined by a dot. */
export function EditorFor({ edit, content }: { edit: string; content: AcademyContent }) {
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

const newLesson: Omit<LessonContent, "moduleId"> = {
  title: "",
  description: "",
  duration: 0,
  kind: "video",
  videoId: noVideo,
  body: null,
  captions: null,
  captionsLanguage: defaultLanguage,
  otherCaptions: [],
  freePreview: false,
  comingSoon: false,
  opensAt: null,
  // Nobody sees it before it is published.
  released: true,
  check: null,
};
