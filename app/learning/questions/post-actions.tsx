import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#app/api/api.ts";
import { keyOf } from "#app/api/query.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import {
  getQuestion,
  markAnswerHelpful,
  markQuestionHelpful,
  type QuestionAnswer,
  type QuestionRow,
  reportAnswer,
  reportQuestion,
} from "#contract/questions.ts";
import { Button } from "#ui/controls/button.tsx";
import { Dialog } from "#ui/controls/dialog.tsx";
import { Field, Textarea } from "#ui/controls/field.tsx";
import { toast } from "#ui/toast/toast.ts";
import { loadListsAgain } from "./question-queries.ts";

interface PostActionsProps {
  kind: "question" | "answer";
  post: QuestionRow | QuestionAnswer;
  onEdit: () => void;
  remove: () => Promise<unknown>;
  onDeleted: () => void;
}

/** What one can do with one's own question or answer, or with that of somebody else. */
export function PostActions({ kind, post, onEdit, remove, onDeleted }: PostActionsProps) {
  const [asks, setAsks] = useState(false);
  const deleting = useMutation({
    mutationFn: remove,
    onSuccess: () => {
      setAsks(false);
      onDeleted();
    },
    onError: (error) => toastFailure("Not deleted", error, `We couldn’t delete your ${kind}. Please try again.`),
  });
  if (!post.author.isYou) return <OthersActions kind={kind} post={post} />;
  return (
    <>
      {post.helpful > 0 && <p className="text-fine text-ink-soft">{post.helpful} found this helpful</p>}
      <Button variant="quiet" size="small" onClick={onEdit}>
        Edit
      </Button>
      <Button variant="quiet" size="small" onClick={() => setAsks(true)}>
        Delete
      </Button>
      <Dialog
        open={asks}
        onOpenChange={setAsks}
        title={`Delete your ${kind}?`}
        description={
          kind === "question"
            ? "Answers by other people stay, without your question. You can’t undo this."
            : "You can’t undo this."
        }
      >
        <div className="flex flex-wrap gap-3">
          <Button variant="danger" pending={deleting.isPending} onClick={() => deleting.mutate()}>
            Delete
          </Button>
          <Button variant="outline" onClick={() => setAsks(false)}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </>
  );
}

function OthersActions({ kind, post }: Pick<PostActionsProps, "kind" | "post">) {
  const { id, helpful, foundHelpful } = post;
  const queryClient = useQueryClient();
  const [reports, setReports] = useState(false);
  const [reason, setReason] = useState("");
  const mark = useMutation({
    mutationFn: () => {
      const call = { params: { id }, body: { isHelpful: !foundHelpful } };
      return kind === "question" ? api(markQuestionHelpful, call) : api(markAnswerHelpful, call);
    },
    onSuccess: () => {
      loadListsAgain(queryClient);
      return queryClient.invalidateQueries({ queryKey: keyOf(getQuestion.path) });
    },
    onError: (error) => toastFailure("Not saved", error, "We couldn’t save this. Please try again."),
  });
  const report = useMutation({
    mutationFn: () => {
      const call = { params: { id }, body: { reason } };
      return kind === "question" ? api(reportQuestion, call) : api(reportAnswer, call);
    },
    onSuccess: () => {
      setReports(false);
      toast({ title: "Reported", description: "Thank you. The team will look at it." });
    },
    onError: (error) => toastFailure("Not reported", error, "We couldn’t report this. Please try again."),
  });
  return (
    <>
      <Button
        variant={foundHelpful ? "action" : "outline"}
        size="small"
        aria-pressed={foundHelpful}
        pending={mark.isPending}
        onClick={() => mark.mutate()}
      >
        Helpful{helpful > 0 && ` (${helpful})`}
      </Button>
      <Button variant="quiet" size="small" onClick={() => setReports(true)}>
        Report
      </Button>
      <Dialog
        open={reports}
        onOpenChange={setReports}
        title={`Report this ${kind}?`}
        description="The team looks at reports. The author doesn’t learn who reported it."
      >
        <Field label="What’s wrong with it? (optional)">
          <Textarea value={reason} onChange={({ target }) => setReason(target.value)} maxLength={500} rows={3} />
        </Field>
        <div className="flex flex-wrap gap-3">
          <Button pending={report.isPending} onClick={() => report.mutate()}>
            Report
          </Button>
          <Button variant="outline" onClick={() => setReports(false)}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </>
  );
}
