import { AnswerRequest, QuestionAnswer } from '../../../../shared/workstation/questions.ts';
import { answerOf } from '../../domain/workstations/questions.ts';
import { questionEndpoint } from '../../http/question-endpoint.ts';

export const handler = questionEndpoint(
  {
    route: 'POST /workstations/questions/answer',
    summary: 'Wait for the answer of a holder',
    body: AnswerRequest,
    answer: QuestionAnswer,
  },
  (caller, request) => answerOf(caller, request, Date.now),
);
