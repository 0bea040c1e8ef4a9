import { CreateTranscript } from '../contract.ts';
import { createTranscript } from '../domain/transcripts.ts';
import { transcriptRoutes } from '../routes.ts';

export const handler = transcriptRoutes.create({
  description:
    'Of an organization that issues. Its file, `transcript`, goes to the signers of the institute; it is concluded when they have signed.',
  body: CreateTranscript,
  refuses: ['InstituteNotFound', 'OrganizationKindMismatch', 'SignersRequired', 'InvalidXml', 'TooManyFiles'],
  run: (caller, _, body, nowMs) => createTranscript(caller, body, nowMs),
});
