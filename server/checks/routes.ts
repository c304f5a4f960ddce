import type { FastifyInstance } from "fastify";
import { tryQuestion as tryQuestionCall } from "#contract/admin/content.ts";
import {
  answerQuestion as answerQuestionCall,
  getCheck,
  listChecks,
  retakeCheck as retakeCheckCall,
  showAnswer as showAnswerCall,
} from "#contract/checks.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { answerQuestion, checkOf, retakeCheck, showAnswer, tryQuestion } from "./checks.ts";
import { listChecksFor } from "./queries.ts";

export function checkRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, listChecks, ({ request }) => listChecksFor(ctx.db, studentOf(request).id));
  serve(scope, getCheck, ({ request, params }) => checkOf(ctx, studentOf(request), params.lessonId));
  serve(scope, answerQuestionCall, ({ request, params, body }) =>
    answerQuestion(ctx, studentOf(request), params, body),
  );
  serve(scope, retakeCheckCall, ({ request, params }) => retakeCheck(ctx, studentOf(request), params.lessonId));
  serve(scope, showAnswerCall, ({ request, params }) => showAnswer(ctx, studentOf(request), params));
}

export function checkTrialRoutes(scope: FastifyInstance): void {
  serve(scope, tryQuestionCall, async ({ request, body: { question, ...body } }) =>
    tryQuestion(studentOf(request), question, body),
  );
}
