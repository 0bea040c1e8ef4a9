import { randomUUID } from 'node:crypto';
import { logger } from '../../../../shared/log/logger.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { AlreadyExists, RaceLost } from '../../../../shared/store/refusals.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import type { BiometricProvider } from './providers/provider.ts';
import { type BioSession, bioSessionStates, bioSessions, endedWith } from './session.ts';
import { type Subject, subjectById, subjectIds, subjects } from './subjects.ts';

type Facts = Partial<Pick<BioSession, 'idCapture' | 'isLive'>>;

/** Enrols the face of a passed try, and ends its session in the same write. Returns the fault, if any. */
export async function enrol(
  judging: Stored<BioSession>,
  provider: BiometricProvider,
  capture: string,
  facts: Facts,
  nowMs: number,
): Promise<'noFace' | 'duplicate' | undefined> {
  const { application, subjectIdentifier: identifier } = judging;
  if (identifier === null) throw new Error('An enrollment session has no subject.');
  const current = await subjects.get({ application, identifier });
  const found = await provider.search(capture, application);
  if (found === 'noFace') return 'noFace';
  if (await isOfAnother(found, current)) return 'duplicate';
  // Another session enrolled the subject meanwhile: this one may not replace it.
  if (current && !judging.mayOverride) return 'duplicate';

  const subjectId = current?.subjectId ?? randomUUID();
  const face = await provider.enrol(capture, application, subjectId);
  if (face === 'noFace') return 'noFace';
  const subject = { application, identifier, subjectId, face, enrolledAt: new Date(nowMs).toISOString() };
  try {
    await recordEnrolment(judging, current, subject, facts);
  } catch (error) {
    await forgetFaceAtProvider(provider, application, face);
    // Another session was first, or this one changed: its own end finds that out.
    if (error instanceof AlreadyExists || error instanceof RaceLost) return 'duplicate';
    throw error;
  }
  if (current) await forgetFaceAtProvider(provider, application, current.face);
  return undefined;
}

// Two sessions enrol one subject at once:
//
//   session 1  |--no subject yet--- face at the provider --|--creates the subject, ends: one write
//   session 2    |--no subject yet---- face at the provider ----|--refused: its face is forgotten again
//
// Subject and outcome are one write: no session reports a missing enrolment. Not covered: one face enrolled for two
// subjects in the same second, because neither search finds the other yet.
const recordEnrolment = (
  judging: Stored<BioSession>,
  current: Stored<Subject> | undefined,
  subject: Subject,
  facts: Facts,
) =>
  transition(
    bioSessions,
    bioSessionStates,
    judging,
    'passed',
    { ...facts, ...endedWith(null), subjectId: subject.subjectId },
    {
      also: current
        ? [subjects.changing(current, subject)]
        : [subjects.creating(subject), subjectIds.creating(pointerTo(subject))],
    },
  );

const pointerTo = ({ application, identifier, subjectId }: Subject) => ({
  application,
  identifier,
  subjectId,
});

/** Whether a face belongs to another subject. A face without a subject is left over from an aborted try. */
async function isOfAnother(found: readonly string[], own: Subject | undefined): Promise<boolean> {
  const others = [...new Set(found)].filter((subjectId) => subjectId !== own?.subjectId);
  return (await Promise.all(others.map(subjectById))).some((subject) => subject !== undefined);
}

// `npm run admin -- faces list` shows a face that could not be forgotten as one without a subject.
async function forgetFaceAtProvider(
  provider: BiometricProvider,
  application: string,
  face: string,
): Promise<void> {
  try {
    await provider.forget(application, face);
  } catch (error) {
    logger('pki').warn('A face stays at the biometric provider: it could not be forgotten.', {
      application,
      reason: (error as Error).message,
    });
  }
}
