import type { AcademySettings } from "#contract/academy.ts";
import {
  type AcademyContent,
  draftCopy,
  draftLesson,
  draftModule,
  draftPlan,
  draftSettings,
  getContent,
  publishContent,
} from "#contract/admin/content.ts";
import type { CopyOf, CopyPart } from "#contract/copy.ts";
import type { RunningAcademy } from "./academy.ts";
import type { Visitor } from "./visitor.ts";

const calls = { modules: draftModule, lessons: draftLesson, plans: draftPlan };
type Kind = keyof typeof calls;
type Published<Of extends Kind> = NonNullable<AcademyContent[Of][number]["published"]>;

/** What is published under an id, as an administrator would write it. */
export async function published<Of extends Kind>(author: Visitor, kind: Of, id: string): Promise<Published<Of>> {
  const found = (await author.call(getContent)).body[kind].find((one) => one.id === id)?.published;
  if (!found) throw new Error(`${id} is not published`);
  return found as Published<Of>;
}

/** Drafts what is published under an id with these changes. */
export async function draft<Of extends Kind>(author: Visitor, kind: Of, id: string, changes: Partial<Published<Of>>) {
  const body = { ...(await published(author, kind, id)), ...changes };
  return author.call(calls[kind] as typeof draftLesson, { params: { id }, body });
}

/** Drafts the settings as they were last saved, with these changes. */
export async function changeSettings(author: Visitor, changes: Partial<AcademySettings>) {
  const { draft, published } = (await author.call(getContent)).body.settings;
  return author.call(draftSettings, { body: { ...(draft ?? published), ...changes } });
}

/** The words of a part as they were last saved, and their version. */
export async function savedCopy<Part extends CopyPart>(author: Visitor, part: Part) {
  const found = (await author.call(getContent)).body.copy.find(({ id }) => id === part);
  if (!found) throw new Error(`there are no words of ${part}`);
  return { copy: (found.draft ?? found.published) as CopyOf<Part>, version: found.version };
}

/** Drafts them with these changes. */
export async function changeCopy<Part extends CopyPart>(
  author: Visitor,
  part: Part,
  changes: (copy: CopyOf<Part>) => object,
) {
  const { copy, version } = await savedCopy(author, part);
  return author.call(draftCopy, { query: { version }, body: { ...copy, ...changes(copy) } });
}

/** Publishes all drafts, or what `body` says. @throws Error when it is refused */
export async function publish(author: Visitor, body: object = {}) {
  const answer = await author.call(publishContent, { body });
  if (answer.status !== 200) throw new Error(`nothing was published: ${answer.status} ${answer.body.message}`);
  return answer.body;
}

/** Publishes it with these changes. */
export async function publishWith<Of extends Kind>(
  author: Visitor,
  kind: Of,
  id: string,
  changes: Partial<Published<Of>>,
  body: object = {},
) {
  const { status, body: refused } = await draft(author, kind, id, changes);
  if (status !== 200) throw new Error(`no draft of ${id}: ${status} ${refused.message}`);
  return publish(author, body);
}

/** Publishes a lesson with these changes, as an administrator. */
export async function publishLesson(
  academy: Pick<RunningAcademy, "visitor">,
  id: string,
  changes: Partial<Published<"lessons">>,
): Promise<void> {
  const author = await academy.visitor().signInAsDemo("admin@academy.test");
  await publishWith(author, "lessons", id, changes);
}
