import { renderMarkup } from "#contract/markup.ts";
import type { Author, QuestionAnswer, QuestionRow } from "#contract/questions.ts";
import { versionOf } from "#server/base/version.ts";
import type { User } from "#server/identity/users.ts";
import type { PostRow, ShownPost } from "./queries.ts";

export function presentRow({ originalTitle, lessonTitle, ...shown }: ShownPost, reader: User): QuestionRow {
  const { post } = shown;
  return {
    ...presentPost(shown, reader),
    lessonId: post.lessonId,
    lessonTitle,
    title: post.title,
    at: post.at,
    answers: post.answers,
    isAnswered: post.isAnswered,
    acceptedId: post.acceptedId,
    isClosed: post.closedAt !== null,
    duplicateOf: post.duplicateOf && originalTitle !== null ? { id: post.duplicateOf, title: originalTitle } : null,
    isDeleted: post.deletedAt !== null,
  };
}

export function presentQuestion(shown: ShownPost, reader: User) {
  return { ...presentRow(shown, reader), ...presentText(shown.post) };
}

export function presentAnswer(shown: ShownPost, { acceptedId }: PostRow, reader: User): QuestionAnswer {
  return { ...presentPost(shown, reader), ...presentText(shown.post), isAccepted: shown.post.id === acceptedId };
}

function presentPost(
  { post, author, foundHelpful }: Pick<ShownPost, "post" | "author" | "foundHelpful">,
  reader: User,
) {
  return {
    id: post.id,
    author: presentAuthor(post, author, reader),
    createdAt: post.createdAt.toISOString(),
    isEdited: post.editedAt !== null,
    helpful: post.helpful,
    foundHelpful,
    hiddenBecause: post.hiddenAt && (post.hiddenBecause ?? ""),
  };
}

const eachWay = { dir: "auto" };
const byStudents = {
  isPlain: true,
  attributes: {
    ...{ p: eachWay, li: eachWay, h3: eachWay, h4: eachWay, h5: eachWay, h6: eachWay },
    a: { rel: "nofollow ugc noreferrer" },
  },
};

function presentText(post: PostRow) {
  const { text } = post;
  return { text, html: renderMarkup(text, byStudents), version: postVersionOf(post) };
}

export function postVersionOf({ title, text }: Pick<PostRow, "title" | "text">): string {
  return versionOf({ title, text });
}

function presentAuthor(post: PostRow, author: ShownPost["author"], reader: User): Author {
  return { name: authorName(post, author), isOfTeam: post.isOfTeam, isYou: post.authorId === reader.id };
}

/** Other students read no whole name and no address. Null: a student who has left. */
export function authorName({ authorId, isOfTeam }: PostRow, author: ShownPost["author"]): string | null {
  const { firstName, lastName } = author ?? {};
  const initial = lastName && Array.from(lastName)[0];
  const last = isOfTeam ? lastName : initial && `${initial}.`;
  const name = [firstName, last].filter(Boolean).join(" ") || (isOfTeam ? "The team" : "A student");
  return authorId === null && !isOfTeam ? null : name;
}
