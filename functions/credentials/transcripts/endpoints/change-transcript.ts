import { ChangeTranscript } from '../contract.ts';
import { changeTranscript } from '../domain/transcripts.ts';
import { transcriptRoutes } from '../routes.ts';

export const handler = transcriptRoutes.change({
  description:
    'Cancels a transcript (`canceled`), suspends it (`canceledTemporarily`) or restores a suspended one (`restored`). A refusal names the present status.',
  events: ['canceled', 'canceledTemporarily', 'restored'],
  body: ChangeTranscript,
  run: (caller, id, { event, body }, nowMs) =>
    changeTranscript(caller, id, { event, reason: body.reason }, nowMs),
});
