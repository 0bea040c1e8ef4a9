import type * as z from 'zod';
import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { sandbox } from '../../service.ts';
import { BiometricAnswer, BiometricQuestion } from '../contract.ts';
import { beginCapture, judgeCapture } from '../domain/captures.ts';
import { enrolFace, forgetFace, listFaces, searchFace } from '../domain/faces.ts';

const MAX_BODY_BYTES = 6_291_456;

type Question = z.output<typeof BiometricQuestion>;
type Answer = z.input<typeof BiometricAnswer>;
type Answers = {
  readonly [O in Question['operation']]: (question: Extract<Question, { operation: O }>) => Promise<Answer>;
};

const ANSWERS: Answers = {
  begin: ({ subject }) => beginCapture(subject, Date.now()),
  judge: judgeCapture,
  search: ({ capture, gallery }) => searchFace(capture, gallery),
  enrol: ({ capture, gallery, subjectId }) => enrolFace(capture, gallery, subjectId),
  list: ({ gallery }) => listFaces(gallery),
  forget: ({ gallery, face }) => forgetFace(gallery, face),
};

/** A judge of faces that sees none: it gives the verdict that the subject's identifier requests. */
export const handler = sandbox.endpoint(
  {
    route: 'POST /biometrics',
    summary: 'A biometric provider',
    body: jsonBody(BiometricQuestion),
    answers: { 200: BiometricAnswer },
    access: 'public',
    maxBodyBytes: () => MAX_BODY_BYTES,
  },
  async ({ body }) => (ANSWERS[body.operation] as (question: Question) => Promise<Answer>)(body),
);
