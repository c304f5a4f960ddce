import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#app/api/api.ts";
import { keyOf, queryOf } from "#app/api/query.ts";
import { FormField } from "#app/editing/form-field.tsx";
import { FormattedText } from "#app/learning/formatted-text.tsx";
import { ShowMore } from "#app/learning/questions/show-more.tsx";
import { RequiredReason } from "#contract/admin/admin.ts";
import {
  type AdminPost,
  type AdminQuestion,
  closeQuestion,
  Duplicate,
  dismissReports,
  getAdminQuestion,
  hidePost,
  listAdminQuestions,
  markDuplicate,
} from "#contract/admin/questions.ts";
import { type Author, NewAnswer, writeAnswer } from "#contract/questions.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { formatTimestamp } from "#ui/format/dates.ts";
import { formatCountOf } from "#ui/format/numbers.ts";
import { useAct } from "../act.ts";
import { useActForm } from "../act-form.ts";
import { FormDialog } from "../form-dialog.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";

const pageSize = 50;

/** A question with its answers, what the team may do about them, and the form to answer. */
export function QuestionThread({ questionId: id }: { questionId: string }) {
  const thread = useInfiniteQuery({
    queryKey: [...keyOf(getAdminQuestion.path), id],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      api(getAdminQuestion, { params: { id }, query: { limit: pageSize, after: pageParam }, signal }),
    getNextPageParam: ({ posts }) => (posts.length === pageSize ? posts.at(-1)?.id : undefined),
  });
  if (thread.isPending) return <PartLoading what="the question" />;
  const question = thread.data?.pages.at(-1)?.question;
  if (!question) return <PartFailed what="the question" retry={thread.refetch} />;
  const posts = thread.data?.pages.flatMap((page) => page.posts) ?? [];
  return (
    <div className="grid gap-4 px-2 pt-3 pb-2">
      <ol aria-label="Question and answers" className="grid gap-3">
        {posts.map((post) => (
          <Post key={post.id} question={question} post={post} />
        ))}
      </ol>
      <ShowMore list={thread} what="answers" />
      {question.duplicateOf && <p className="text-ink-soft text-sm">Duplicate of “{question.duplicateOf.title}”.</p>}
      <div className="flex flex-wrap gap-1 max-sm:-ml-3.5">
        <CloseButtons question={question} />
        {question.reports > 0 && <Dismiss question={question} />}
      </div>
      {!question.isClosed && question.hiddenBecause === null && <ReplyForm question={question} />}
    </div>
  );
}

export function nameOf({ name }: Author): string {
  return name ?? "A former student";
}

interface PostProps {
  question: AdminQuestion;
  post: AdminPost;
}

function Post({ question, post }: PostProps) {
  const { author, createdAt, html, hiddenBecause, isAccepted, reports } = post;
  return (
    <li className={author.isOfTeam ? "rounded-md bg-kraft-soft p-4" : "rounded-md border border-line bg-surface p-4"}>
      <p className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <strong className="wrap-anywhere">{nameOf(author)}</strong>
        <span className="text-ink-soft">{formatTimestamp(createdAt)}</span>
        {author.isOfTeam && <Badge tone="kraft">Team</Badge>}
        {isAccepted && <Badge tone="success">Accepted</Badge>}
      </p>
      <FormattedText html={html} className="max-w-[68ch]" />
      {hiddenBecause !== null && (
        <p className="mt-2 text-danger text-sm wrap-anywhere">Hidden. The author reads: “{hiddenBecause}”</p>
      )}
      {reports.length > 0 && (
        <ul aria-label="Reports" className="mt-2 list-disc pl-5 text-danger text-sm">
          {reports.map((report) => (
            <li key={report.createdAt} className="wrap-anywhere">
              Reported {formatTimestamp(report.createdAt)}
              {report.reason && `: ${report.reason}`}
            </li>
          ))}
        </ul>
      )}
      <HideButton question={question} post={post} />
    </li>
  );
}

function HideButton({ question: { id, title }, post }: PostProps) {
  const [isAsking, setIsAsking] = useState(false);
  const answerId = post.id === id ? null : post.id;
  const what = answerId === null ? "question" : "answer";
  const change = (reason: string | null) => api(hidePost, { params: { id }, body: { answerId, reason } });
  const show = useAct(() => change(null), {
    done: `The ${what} is visible again`,
    failed: `Failed to show the ${what}`,
  });
  const isHidden = post.hiddenBecause !== null;
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        className="-ml-3.5"
        pending={show.isPending}
        onClick={() => (isHidden ? show.mutate() : setIsAsking(true))}
      >
        {isHidden ? "Show again" : `Hide ${what}`}
        <span className="sr-only">{answerId === null ? ` ${title}` : ` of ${nameOf(post.author)} to ${title}`}</span>
      </Button>
      {isAsking && (
        <ReasonDialog
          title={`Hide this ${what}?`}
          description="Only its author will still see it, with your reason. You can show it again."
          confirm={`Hide ${what}`}
          isDangerous
          schema={RequiredReason}
          about={post.id}
          reasonHint="The author reads it on the page. It’s also saved in the audit log, so don’t enter names or addresses."
          act={(reason = "") => change(reason)}
          words={{ done: `The ${what} is hidden`, failed: `Failed to hide the ${what}` }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}

function CloseButtons({ question }: { question: AdminQuestion }) {
  const { id, title, isClosed } = question;
  const [isChoosing, setIsChoosing] = useState(false);
  const close = useAct(() => api(closeQuestion, { params: { id }, body: { isClosed: !isClosed } }), {
    done: isClosed ? "Question reopened" : "Question closed",
    failed: isClosed ? "Failed to reopen the question" : "Failed to close the question",
  });
  return (
    <>
      <Button variant="quiet" size="small" pending={close.isPending} onClick={() => close.mutate()}>
        {isClosed ? "Reopen question" : "Close question"}
        <span className="sr-only"> {title}</span>
      </Button>
      {!isClosed && (
        <Button variant="quiet" size="small" onClick={() => setIsChoosing(true)}>
          Mark as duplicate<span className="sr-only">: {title}</span>
        </Button>
      )}
      {isChoosing && <DuplicateDialog question={question} onClose={() => setIsChoosing(false)} />}
    </>
  );
}

interface DuplicateDialogProps {
  question: AdminQuestion;
  onClose: () => void;
}

/** Chooses among the questions of the same lesson. */
function DuplicateDialog({ question: { id, lessonId, lessonTitle }, onClose }: DuplicateDialogProps) {
  const { data = [] } = useQuery(queryOf(listAdminQuestions, { query: { lessonId, limit: 200 } }));
  const others = data.filter((one) => one.id !== id && !one.duplicateOf && one.hiddenBecause === null);
  const form = useActForm(Duplicate, {
    about: `duplicate ${id}`,
    saved: { of: "" },
    send: (body) => api(markDuplicate, { params: { id }, body }),
    words: { done: "Marked as a duplicate", failed: "Failed to mark it as a duplicate" },
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title="Mark as a duplicate"
      description="It takes no more answers, and its page links to the question that stays."
      confirm="Mark as duplicate"
      isIncomplete={!form.value.of}
      onClose={onClose}
    >
      <FormField
        form={form}
        name="of"
        label="Question that stays"
        hint={`A question about “${lessonTitle}”.`}
        options={[["", "Choose a question"], ...others.map(({ id, title }) => [id, title] as const)]}
      />
    </FormDialog>
  );
}

function Dismiss({ question: { id, title, reports } }: { question: AdminQuestion }) {
  const dismiss = useAct(() => api(dismissReports, { params: { id }, body: {} }), {
    done: "Reports dismissed",
    failed: "Failed to dismiss the reports",
  });
  return (
    <Button variant="quiet" size="small" pending={dismiss.isPending} onClick={() => dismiss.mutate()}>
      Dismiss {formatCountOf(reports, "report")}
      <span className="sr-only"> about {title}</span>
    </Button>
  );
}

function ReplyForm({ question: { id } }: { question: AdminQuestion }) {
  const form = useActForm(NewAnswer, {
    kept: `answer-${id}`,
    saved: { text: "" },
    send: (body) => api(writeAnswer, { params: { id }, body }),
    words: { done: "Answer published", failed: "Failed to publish the answer" },
  });
  return (
    <form {...form.frame} className="grid gap-3">
      <FormField
        form={form}
        name="text"
        label="Answer"
        hint="Everyone who may watch the lesson reads it, with the team’s badge."
        rows={4}
        disabled={form.isSending}
      />
      <Button type="submit" className="w-fit" pending={form.isSending} disabled={!form.isChanged}>
        Publish answer
      </Button>
    </form>
  );
}
