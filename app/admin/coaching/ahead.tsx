import { useQuery } from "@tanstack/react-query";
import { queryOf } from "#app/api/query.ts";
import { aheadWords, type CoachingAhead, getCoachingAhead } from "#contract/admin/coaching.ts";

/** Whether the coaching that is sold can be given. Shown beside the plan that promises it. */
export function Ahead() {
  const { data } = useQuery(queryOf(getCoachingAhead));
  return data ? <AheadSentence ahead={data} /> : null;
}

export function AheadSentence({ ahead }: { ahead: CoachingAhead }) {
  const isShort = ahead.unserved > 0;
  return (
    <p className={isShort ? "rounded-sm bg-danger-soft px-4 py-3 font-semibold text-danger" : "text-ink-soft"}>
      {aheadWords(ahead)}
    </p>
  );
}
