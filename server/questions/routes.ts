import type { FastifyInstance } from "fastify";
import * as contract from "#contract/questions.ts";
import { MINUTE } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";
import { limitInMemory } from "#server/http/rate-limit-in-memory.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { measureAnswerTime } from "./queries.ts";
import {
  accept,
  answer,
  ask,
  edit,
  listAll,
  listOfLesson,
  markHelpful,
  remove,
  report,
  searchAnswered,
  similarTo,
  threadOf,
} from "./questions.ts";

const searches = { max: 30, window: MINUTE, message: "That's a lot of searches. Please wait a minute." };
const gone = { success: true } as const;

export function questionRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, contract.listLessonQuestions, ({ request, params, query }) =>
    listOfLesson(ctx, studentOf(request), params.lessonId, query),
  );
  serve(scope, contract.askQuestion, ({ request, params, body }) =>
    ask(ctx, studentOf(request), params.lessonId, body),
  );
  const countSimilar = limitInMemory(searches);
  serve(scope, contract.findSimilarQuestions, ({ request, params, query }) => {
    const student = studentOf(request);
    countSimilar(student.id);
    return similarTo(ctx, student, params.lessonId, query.title);
  });
  serve(scope, contract.listQuestions, ({ request, query }) => listAll(ctx, studentOf(request), query));
  const countSearch = limitInMemory(searches);
  serve(scope, contract.searchQuestions, ({ request, query }) => {
    const student = studentOf(request);
    countSearch(student.id);
    return searchAnswered(ctx, student, query.q);
  });
  serve(scope, contract.getAnswerTime, async () => ({
    medianSeconds: await measureAnswerTime(ctx.db, ctx.clock.now()),
  }));
  serve(scope, contract.getQuestion, ({ request, params, query }) =>
    threadOf(ctx, studentOf(request), params.id, query),
  );
  serve(scope, contract.writeAnswer, ({ request, params, body }) => answer(ctx, studentOf(request), params.id, body));
  serve(scope, contract.acceptAnswer, ({ request, params, body }) =>
    accept(ctx, studentOf(request), params.id, body.answerId),
  );
  postRoutes(scope, ctx);
}

/** What can be done with questions and answers alike. */
function postRoutes(scope: FastifyInstance, ctx: Context): void {
  const question = (id: string) => ({ id, kind: "question" }) as const;
  const answerOf = (id: string) => ({ id, kind: "answer" }) as const;
  serve(scope, contract.editQuestion, ({ request, params, body }) =>
    edit(ctx, studentOf(request), question(params.id), body),
  );
  serve(scope, contract.editAnswer, ({ request, params, body }) =>
    edit(ctx, studentOf(request), answerOf(params.id), body),
  );
  for (const [kind, calls] of [
    [question, [contract.deleteQuestion, contract.markQuestionHelpful, contract.reportQuestion]],
    [answerOf, [contract.deleteAnswer, contract.markAnswerHelpful, contract.reportAnswer]],
  ] as const) {
    serve(scope, calls[0], async ({ request, params }) => {
      await remove(ctx, studentOf(request), kind(params.id));
      return gone;
    });
    serve(scope, calls[1], ({ request, params, body }) =>
      markHelpful(ctx, studentOf(request), kind(params.id), body?.isHelpful ?? true),
    );
    serve(scope, calls[2], async ({ request, params, body }) => {
      await report(ctx, studentOf(request), kind(params.id), body?.reason);
      return gone;
    });
  }
}
