import { randomUUID } from 'node:crypto';
import { logger } from '../../../../shared/log/logger.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { AlreadyExists, RaceLost } from '../../../../shared/store/refusals.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import type { BiometricProvider } from './providers/provider.ts';
import { type BioSession, bioSessions, ended } from './session.ts';
import { bioSessionStates } from './session-states.ts';
import { type Subject, subjectById, subjectIds, subjects } from './subjects.ts';

type Facts = Partial<Pick<BioSession, 'idCapture' | 'isLive'>>;

/**
 * Enrols the face of a try that passed, and ends its session in the same write. Gives the fault where there is one,
 * and then nothing is kept.
 */
export async function enrol(
  judging: Stored<BioSession>,
  provider: BiometricProvider,
  capture: string,
  facts: Facts,
): Promise<'noFace' | 'duplicate' | undefined> {
  const { application, subjectIdentifier: identifier } = judging;
  if (identifier === null) throw new Error('An enrollment session has no subject.');
  const current = await subjects.get({ application, identifier });
  const found = await provider.search(capture, application);
  if (found === 'noFace') return 'noFace';
  if (await isOfAnother(found, current)) return 'duplicate';
  // Enrolled meanwhile, by another session: this one may not take its place.
  if (current && !judging.mayOverride) return 'duplicate';

  const subjectId = current?.subjectId ?? randomUUID();
  const face = await provider.enrol(capture, application, subjectId);
  if (face === 'noFace') return 'noFace';
  const subject = { application, identifier, subjectId, face, enrolledAt: new Date().toISOString() };
  try {
    await keep(judging, current, subject, facts);
  } catch (error) {
    await forget(provider, application, face);
    // Another session was first. Where it is this one that was changed, its own end finds that out.
    if (error instanceof AlreadyExists || error instanceof RaceLost) return 'duplicate';
    throw error;
  }
  if (current) await forget(provider, application, current.face);
  return undefined;
}

// Two sessions enrol one subject at once:
//
//   session 1  |--no subject yet--- face at the provider --|--creates the subject, ends: one write
//   session 2    |--no subject yet---- face at the provider ----|--refused: its face is forgotten again
//
// Subject and outcome are one write: no session tells of an enrolment that is not there. What this does not see is one
// face that is enrolled for two subjects in the same second: neither search finds the other's yet.
const keep = (
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
    { ...facts, ...ended(null), subjectId: subject.subjectId },
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

/** A face that no subject has any more was left by a try that broke off, and stands in nobody's way. */
async function isOfAnother(found: readonly string[], own: Subject | undefined): Promise<boolean> {
  const others = [...new Set(found)].filter((subjectId) => subjectId !== own?.subjectId);
  return (await Promise.all(others.map(subjectById))).some((subject) => subject !== undefined);
}

// What cannot be forgotten now is shown by `npm run admin -- faces list`, as a face that no subject has.
async function forget(provider: BiometricProvider, application: string, face: string): Promise<void> {
  try {
    await provider.forget(application, face);
  } catch (error) {
    logger('pki').warn('A face stays at the biometric provider: it could not be forgotten.', {
      application,
      reason: (error as Error).message,
    });
  }
}
