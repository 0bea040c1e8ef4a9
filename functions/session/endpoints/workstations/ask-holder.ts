import { AskRequest, QuestionAsked } from '../../../../shared/workstation/questions.ts';
import { askHolder } from '../../domain/workstations/questions.ts';
import { questionEndpoint } from '../../http/question-endpoint.ts';

export const handler = questionEndpoint(
  {
    route: 'POST /workstations/questions',
    summary: 'Put a question to a holder',
    body: AskRequest,
    answer: QuestionAsked,
  },
  (caller, request) => askHolder(caller, request, Date.now()),
);
